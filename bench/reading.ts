/** Reads of one object and of all of them, one after the other, as a user waits for them. */
import type { Client } from "../src/kube/client.ts";
import type { AnyKind } from "../src/kube/object.ts";

async function timed(times: number, read: (index: number) => Promise<unknown>): Promise<readonly number[]> {
  const taken: number[] = [];
  for (let index = 0; index < times; index += 1) {
    const started = performance.now();
    await read(index);
    taken.push(performance.now() - started);
  }
  return taken;
}

export interface Reading {
  /** Milliseconds each. */
  readonly get: readonly number[];
  readonly list: readonly number[];
}

/** Reads objects `NAME0`, `NAME1` ... of a kind, and the whole list page by page. */
export async function reading(
  client: Client,
  kind: AnyKind,
  namespace: string,
  { prefix, count }: { readonly prefix: string; readonly count: number },
): Promise<Reading> {
  const get = await timed(300, (index) => client.get(kind, `${prefix}${index % count}`, namespace));
  const list = await timed(100, async () => {
    const { items } = await client.list(kind, { namespace });
    if (items.length < count) throw new Error(`a list of ${items.length} where ${count} objects are`);
  });
  return { get, list };
}
