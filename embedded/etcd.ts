/**
 * The engine's etcd, spoken to over its socket, by who may enter the data directory. Its own API is gRPC; the few messages
 * needed here are read and written by hand.
 */
import { type ClientHttp2Session, connect } from "node:http2";
import { createConnection } from "node:net";
import { EngineError } from "./errors.ts";

/** One key with its value as the API server stores it. */
export interface EtcdPair {
  readonly key: string;
  readonly value: Buffer;
}

export interface EtcdSize {
  readonly keys: number;
  /** Keys and values as stored, history left out. */
  readonly bytes: number;
}

export interface Etcd {
  /** Stores all of them in one transaction. At most {@link MAX_PAIRS} and about a megabyte. */
  put(pairs: readonly EtcdPair[]): Promise<void>;
  /** Removes keys; those that are not there do not matter. At most {@link MAX_PAIRS}. */
  remove(keys: readonly string[]): Promise<void>;
  /** Every key below `/registry/` with the size of its value, to the byte. */
  entries(): AsyncIterable<{ readonly key: string; readonly size: number }>;
  close(): void;
}

/** What etcd takes in one transaction. */
export const MAX_PAIRS = 128;

/** Opens the etcd behind a socket. Requests reject with EngineError `EtcdRefused`. */
export function openEtcd(socket: string): Etcd {
  const session = connect("http://etcd", { createConnection: () => createConnection(socket) });
  // Said by the requests that it ends.
  session.on("error", () => undefined);
  const transaction = async (operations: readonly Buffer[]): Promise<void> => {
    if (operations.length === 0) return;
    await call(session, "/etcdserverpb.KV/Txn", Buffer.concat(operations.map((one) => field(2, one))));
  };
  return {
    put: (pairs) =>
      transaction(
        pairs.map(({ key, value }) => field(2, Buffer.concat([field(1, Buffer.from(key)), field(2, value)]))),
      ),
    remove: (keys) => transaction(keys.map((key) => field(3, field(1, Buffer.from(key))))),
    async *entries() {
      let from: Buffer = Buffer.from("/registry/");
      for (;;) {
        const answer = await call(
          session,
          "/etcdserverpb.KV/Range",
          rangeRequest(from, Buffer.from("/registry0"), 500),
        );
        const { pairs, more } = rangeResponse(answer);
        for (const { key, size } of pairs) yield { key: key.toString("utf8"), size };
        const last = pairs.at(-1);
        if (!more || last === undefined) return;
        from = Buffer.concat([last.key, Buffer.from([0])]);
      }
    },
    close: () => session.destroy(),
  };
}

function call(session: ClientHttp2Session, path: string, message: Buffer): Promise<Buffer> {
  const frame = Buffer.alloc(5);
  frame.writeUInt32BE(message.length, 1);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const refused = (why: unknown) =>
    reject(new EngineError("EtcdRefused", `etcd: ${String(why)}`, "See etcd's log in the engine's data directory."));
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
  });
  const chunks: Buffer[] = [];
  // A request that is refused at once has its status where others have their headers.
  const judge = (headers: { readonly [name: string]: unknown }): void => {
    const status = headers["grpc-status"];
    if (status !== undefined && status !== "0") refused(headers["grpc-message"] ?? `${path} ended with ${status}`);
  };
  stream.on("response", judge);
  stream.on("trailers", judge);
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("error", refused);
  stream.on("end", () => resolve(Buffer.concat(chunks).subarray(5)));
  stream.end(Buffer.concat([frame, message]));
  return promise;
}

/** A field of bytes, with its number and length. */
function field(number: number, value: Buffer): Buffer {
  return Buffer.concat([varint((number << 3) | 2), varint(value.length), value]);
}

function rangeRequest(from: Buffer, to: Buffer, limit: number): Buffer {
  return Buffer.concat([field(1, from), field(2, to), varint(3 << 3), varint(limit)]);
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
  for (const { number, content, value } of fieldsOf(message)) {
    if (number === 3) more = value === 1;
    if (number !== 2 || content === undefined) continue;
    const inner = [...fieldsOf(content)];
    const key = inner.find((one) => one.number === 1)?.content ?? Buffer.alloc(0);
    const held = inner.find((one) => one.number === 5)?.content ?? Buffer.alloc(0);
    pairs.push({ key, size: key.length + held.length });
  }
  return { pairs, more };
}

interface Field {
  readonly number: number;
  readonly content?: Buffer;
  readonly value?: number;
}

function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const read = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message[at] ?? 0;
      at += 1;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = read();
    const number = tag >>> 3;
    if ((tag & 7) === 0) {
      yield { number, value: read() };
      continue;
    }
    if ((tag & 7) !== 2) throw new Error(`etcd: unexpected wire type ${tag & 7}`);
    const length = read();
    yield { number, content: message.subarray(at, at + length) };
    at += length;
  }
}
