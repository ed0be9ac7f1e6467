/**
 * Splitting a stream of bytes into lines, without copying what has already been seen.
 */

const newline = 10;

/** A splitter with its own carry. */
export interface LineSplitter {
  /** The lines that `chunk` completes. */
  push(chunk: Uint8Array): readonly string[];
  /** Whether the bytes so far end within a line. */
  readonly incomplete: boolean;
}

export function lineSplitter(): LineSplitter {
  let carried: Buffer[] = [];
  return {
    push(chunk) {
      const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
      const lines: string[] = [];
      let start = 0;
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
        const tail = bytes.toString("utf8", start, end);
        // A line over many chunks is decoded once and whole, so that no character is cut.
        const line =
          carried.length === 0 ? tail : Buffer.concat([...carried, bytes.subarray(start, end)]).toString("utf8");
        carried = [];
        start = end + 1;
        if (line !== "") lines.push(line);
      }
      if (start < bytes.length) carried.push(bytes.subarray(start));
      return lines;
    },
    get incomplete() {
      return carried.length > 0;
    },
  };
}
