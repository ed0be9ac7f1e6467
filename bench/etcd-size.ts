/**
 * What etcd holds, asked over its socket: every key and value below a prefix, to the byte. Its own API is gRPC; the two
 * messages needed here are read and written by hand.
 */
import { connect } from "node:http2";
import { createConnection } from "node:net";

export interface EtcdSize {
  readonly keys: number;
  /** Keys and values as stored, history left out. */
  readonly bytes: number;
}

/** Sizes by resource: the part of a key after `/registry/`, up to and with the group's plural. */
export async function etcdSizes(socket: string): Promise<ReadonlyMap<string, EtcdSize>> {
  const sizes = new Map<string, EtcdSize>();
  const session = connect("http://etcd", { createConnection: () => createConnection(socket) });
  try {
    let from: Buffer = Buffer.from("/registry/");
    for (;;) {
      const answer = await call(session, "/etcdserverpb.KV/Range", rangeRequest(from, Buffer.from("/registry0"), 500));
      const { pairs, more } = rangeResponse(answer);
      for (const { key, size } of pairs) {
        const resource = resourceOf(key.toString("utf8"));
        const known = sizes.get(resource) ?? { keys: 0, bytes: 0 };
        sizes.set(resource, { keys: known.keys + 1, bytes: known.bytes + size });
      }
      const last = pairs.at(-1);
      if (!more || last === undefined) return sizes;
      from = Buffer.concat([last.key, Buffer.from([0])]);
    }
  } finally {
    session.destroy();
  }
}

/** All of a map of sizes together. */
export function total(sizes: ReadonlyMap<string, EtcdSize>): EtcdSize {
  const all = [...sizes.values()];
  return {
    keys: all.reduce((sum, { keys }) => sum + keys, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function resourceOf(key: string): string {
  const [, , first = "", second = ""] = key.split("/");
  return first.includes(".") && first !== "masterleases" ? `${first}/${second}` : first;
}

function call(session: ReturnType<typeof connect>, path: string, message: Buffer): Promise<Buffer> {
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  return new Promise((resolve, reject) => {
    const stream = session.request({
      ":method": "POST",
      ":path": path,
      "content-type": "application/grpc",
      te: "trailers",
    });
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("trailers", (trailers) => {
      if (trailers["grpc-status"] !== "0") reject(new Error(`etcd: ${trailers["grpc-message"] ?? path}`));
    });
    stream.on("error", reject);
    stream.on("end", () => resolve(Buffer.concat(chunks).subarray(5)));
    stream.end(Buffer.concat([frame, message]));
  });
}

function rangeRequest(from: Buffer, to: Buffer, limit: number): Buffer {
  const bytes = (field: number, value: Buffer) =>
    Buffer.concat([varint((field << 3) | 2), varint(value.length), value]);
  return Buffer.concat([bytes(1, from), bytes(2, to), varint(3 << 3), varint(limit)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  while (left > 127) {
    bytes.push((left & 127) | 128);
    left >>>= 7;
  }
  return Buffer.from([...bytes, left]);
}

/** RangeResponse: `kvs` is field 2 (in it `key` 1, `value` 5), `more` field 3. */
function rangeResponse(message: Buffer): { readonly pairs: readonly { key: Buffer; size: number }[]; more: boolean } {
  const pairs: { key: Buffer; size: number }[] = [];
  let more = false;
  for (const { field, content, number } of fieldsOf(message)) {
    if (field === 3) more = number === 1;
    if (field !== 2 || content === undefined) continue;
    const inner = [...fieldsOf(content)];
    const key = inner.find((one) => one.field === 1)?.content ?? Buffer.alloc(0);
    const value = inner.find((one) => one.field === 5)?.content ?? Buffer.alloc(0);
    pairs.push({ key, size: key.length + value.length });
  }
  return { pairs, more };
}

interface Field {
  readonly field: number;
  readonly content?: Buffer;
  readonly number?: number;
}

function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = number();
    const field = tag >>> 3;
    if ((tag & 7) === 0) {
      yield { field, number: number() };
      continue;
    }
    if ((tag & 7) !== 2) throw new Error(`etcd: unexpected wire type ${tag & 7}`);
    const length = number();
    yield { field, content: message.subarray(at, at + length) };
    at += length;
  }
}
