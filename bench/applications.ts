/**
 * Applications ordered, at rest, and deleted: how fast, with how many requests, at what cost to which process.
 */
import { systemWorld } from "../src/kube/world.ts";
import { countsSince } from "./children.ts";
import { total } from "./etcd-size.ts";
import { follow } from "./follow-released.ts";
import { appKind, type Lab, quiet } from "./lab.ts";
import { cpuSince, figuresOf, processFigures } from "./process-figures.ts";

/** Requests and costs of `operations` equal things. */
export interface Phase {
  readonly operations: number;
  readonly seconds: number;
  readonly writes: number;
  readonly reads: number;
  readonly requests: Readonly<Record<string, number>>;
  /** What our controllers complained of meanwhile. */
  readonly errors: readonly string[];
  /** By process. */
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

export interface Ordered extends Phase {
  readonly rssBytes: number;
  readonly rssGrowthBytes: number;
  readonly peakRssBytes: number;
  readonly etcdBytes: number;
  readonly etcdKeys: number;
}

const PATIENCE = 30 * 60_000;

export interface OrderOptions {
  readonly kind: string;
  readonly count: number;
  readonly prefix: string;
  /** `Released`: everything is applied; `Ready`: and healthy. */
  readonly until: "Released" | "Ready";
  readonly spec?: object;
}

/**
 * What happens from the beginning of `work` until our controllers rest again. `seconds` is the time of `work` alone: until
 * what a user waits for has come.
 */
async function phase(lab: Lab, operations: number, work: () => Promise<void>): Promise<Phase> {
  const [figures, counts, started] = [figuresOf(lab.pids), await lab.controllers.counts(), performance.now()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  await quiet(lab.controllers);
  const { writes, reads, requests, errors } = countsSince(counts, await lab.controllers.counts());
  const cpuSeconds = cpuSince(figures, figuresOf(lab.pids));
  return { operations, seconds, writes, reads, requests, errors, cpuSeconds };
}

/** Creates applications as fast as the API server takes them and waits until all have reached the condition. */
export async function order(lab: Lab, options: OrderOptions): Promise<Ordered> {
  const { count, prefix, spec = {} } = options;
  const kind = appKind(options.kind);
  const following = await follow(lab, kind, prefix);
  const rss = () => processFigures(lab.controllers.pid);
  const [before, sizeBefore] = [rss().rssBytes, total(await lab.etcd())];
  const done = await phase(lab, count, async () => {
    const created = each(count, (index) =>
      lab.client.create(kind, {
        apiVersion: "apps.cozystack.io/v1alpha1",
        kind: kind.kind,
        metadata: { name: `${prefix}${index}`, namespace: lab.namespace },
        ...{ spec },
      }),
    );
    await Promise.all([created, patiently(following.reached(count, options.until))]);
  });
  following.stop();
  const [after, sizeAfter] = [rss(), total(await lab.etcd())];
  return {
    ...done,
    rssBytes: after.rssBytes,
    rssGrowthBytes: after.rssBytes - before,
    peakRssBytes: after.peakRssBytes,
    etcdBytes: sizeAfter.bytes - sizeBefore.bytes,
    etcdKeys: sizeAfter.keys - sizeBefore.keys,
  };
}

/** Deletes them again and waits until the last is gone. */
export async function remove(lab: Lab, options: Pick<OrderOptions, "kind" | "count" | "prefix">): Promise<Phase> {
  const { count, prefix } = options;
  const kind = appKind(options.kind);
  const following = await follow(lab, kind, prefix);
  const done = await phase(lab, count, async () => {
    const deleted = each(count, (index) => lab.client.delete(kind, `${prefix}${index}`, lab.namespace));
    await Promise.all([deleted, patiently(following.left(0))]);
  });
  following.stop();
  return done;
}

/** What our controllers ask for while nothing happens. */
export function rest(lab: Lab, seconds: number): Promise<Phase> {
  return phase(lab, 1, () => systemWorld.sleep(seconds * 1000));
}

/** Calls `work` for 0 to count-1, 16 at a time. */
export async function each(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

async function patiently(done: Promise<void>): Promise<void> {
  const over = new AbortController();
  const late = systemWorld.sleep(PATIENCE, over.signal).then(() => {
    throw new Error(`not done within ${PATIENCE / 60_000} minutes`);
  });
  // Nobody waits for it once the work is done.
  late.catch(() => undefined);
  try {
    await Promise.race([done, late]);
  } finally {
    over.abort();
  }
}
