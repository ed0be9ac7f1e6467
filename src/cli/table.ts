/**
 * Tables for people.
 */

/** Rows under a heading, columns as wide as needed, two spaces apart. Without a heading: the rows alone. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = heading.length === 0 ? rows : [heading, ...rows];
  const columns = Math.max(0, ...all.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, at) =>
    Math.max(...all.map((row) => visibleLength(row[at] ?? ""))),
  );
  return all
    .map((row) =>
      row
        .map((cell, at) => cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - visibleLength(cell))))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what begins a mark
const marks = /\u001b\[\d+m/g;

/** Length on a screen: without the marks of colour. */
export function visibleLength(text: string): number {
  return text.replace(marks, "").length;
}

/** The text cut to a length on the screen, with an ellipsis where something is missing. */
export function cut(text: string, length: number): string {
  if (visibleLength(text) <= length) return text;
  let left = Math.max(0, length - 1);
  let kept = "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: see above
  for (const [part] of text.matchAll(/\u001b\[\d+m|[^\u001b]/gu)) {
    if (part.startsWith("\u001b")) kept += part;
    else if (left > 0) {
      kept += part;
      left -= 1;
    }
  }
  return `${kept}…`;
}

/** A text of several lines as one. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

/** Each line cut to the width of the screen that reads it; whole where it goes to a file or another program. */
export function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split("\n")
    .map((line) => cut(line, columns))
    .join("\n");
}

/** Time since a moment: `5s`, `3m`, `2h`, `4d`. */
export function age(since: string | undefined, now: number): string {
  const then = Date.parse(since ?? "");
  if (Number.isNaN(then)) return "";
  return span(now - then);
}

/** A length of time in milliseconds, in its largest unit. */
export function span(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}
