/**
 * How much is stored in buckets, from a metrics endpoint: the one source that cannot be watched. One query a minute and
 * endpoint for all buckets together, at a time of chance, and only while there are buckets.
 */
import { isRecord, valueAt } from "../../kube/json.ts";
import { backoff, type World } from "../../kube/world.ts";
import type { BucketSize } from "./resources.ts";

/** Milliseconds between two queries of an endpoint; spread by a tenth. */
const RHYTHM = 60_000;
/** After failures it is asked less and less often, no less than this. Milliseconds. */
const RARELY = 900_000;
/** Milliseconds until a query is given up. */
const PATIENCE = 10_000;
const LARGEST_ANSWER = 4 * 1024 * 1024;

const LOGICAL = "SeaweedFS_s3_bucket_size_bytes";
const PHYSICAL = "SeaweedFS_s3_bucket_physical_size_bytes";

/** A bucket that somebody counts. */
export interface CountedBucket {
  readonly namespace: string;
  readonly bucket: string;
  /** Base URL of the metrics API that knows it; absent where there is none. */
  readonly endpoint?: string;
}

export interface BucketSizesOptions {
  readonly world: World;
  /** The buckets there are now; asked before each query. */
  readonly buckets: () => readonly CountedBucket[];
  /** Asks a URL. Rejects for anything but a success. */
  readonly ask: (url: string, signal: AbortSignal) => Promise<string>;
  /** Told about a query that failed: what was known before stays. */
  readonly onError: (endpoint: string, error: unknown) => void;
}

/** Where bucket sizes come from. */
export interface BucketSizes {
  /** Undefined: not known (yet). The last known ones stay when a query fails. */
  of(namespace: string, bucket: string): BucketSize | undefined;
  /** Calls back with the namespace of buckets whose size changed. Returns how to stop. */
  onChange(listener: (namespace: string) => void): () => void;
}

/** The base URL of the metrics API of a tenant's monitoring. */
export function endpointIn(monitoringNamespace: string): string {
  return `http://vmselect-shortterm.${monitoringNamespace}.svc:8481/select/0/prometheus`;
}

/** The URL that asks for the sizes of these buckets. */
export function queryUrl(endpoint: string, buckets: readonly string[]): string {
  const names = [...new Set(buckets)].sort().map((name) => name.replace(/[^A-Za-z0-9_-]/g, "\\$&"));
  const metrics = `{__name__=~${JSON.stringify(`${LOGICAL}|${PHYSICAL}`)},bucket=~${JSON.stringify(names.join("|"))}}`;
  return `${endpoint.replace(/\/+$/, "")}/api/v1/query?query=${encodeURIComponent(metrics)}`;
}

/** Reads an answer; buckets that it does not speak of are missing. @throws SyntaxError for what is no JSON */
export function readSizes(text: string): ReadonlyMap<string, BucketSize> {
  const sizes = new Map<string, BucketSize>();
  const result = valueAt(JSON.parse(text), "data", "result");
  for (const series of Array.isArray(result) ? result : []) {
    const name = valueAt(series, "metric", "bucket");
    const sample = isRecord(series) ? series["value"] : undefined;
    const bytes = Number(Array.isArray(sample) ? sample[1] : Number.NaN);
    if (typeof name !== "string" || !Number.isFinite(bytes)) continue;
    const kind = valueAt(series, "metric", "__name__") === PHYSICAL ? "physical" : "logical";
    sizes.set(name, { ...sizes.get(name), [kind]: bytes });
  }
  return sizes;
}

/** Asks as long as the signal is not aborted. */
export function startBucketSizes(options: BucketSizesOptions, signal: AbortSignal): BucketSizes {
  const { world } = options;
  const known = new Map<string, BucketSize>();
  const listeners = new Set<(namespace: string) => void>();
  const failures = new Map<string, number>();
  const due = new Map<string, number>();

  const learn = (buckets: readonly CountedBucket[], sizes: ReadonlyMap<string, BucketSize>): void => {
    const changed = new Set<string>();
    for (const { namespace, bucket } of buckets) {
      const key = `${namespace}/${bucket}`;
      const size = sizes.get(bucket);
      if (size === undefined || JSON.stringify(size) === JSON.stringify(known.get(key))) continue;
      known.set(key, size);
      changed.add(namespace);
    }
    for (const namespace of changed) for (const listener of listeners) listener(namespace);
  };

  const query = async (endpoint: string, buckets: readonly CountedBucket[]): Promise<void> => {
    try {
      const url = queryUrl(
        endpoint,
        buckets.map(({ bucket }) => bucket),
      );
      learn(buckets, readSizes(await options.ask(url, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]))));
      failures.delete(endpoint);
      due.set(endpoint, world.monotonic() + RHYTHM);
    } catch (error) {
      if (signal.aborted) return;
      const count = (failures.get(endpoint) ?? 0) + 1;
      failures.set(endpoint, count);
      due.set(endpoint, world.monotonic() + backoff(count, RHYTHM, RARELY, world.random));
      options.onError(endpoint, error);
    }
  };

  const round = async (): Promise<void> => {
    const byEndpoint = Map.groupBy(options.buckets(), ({ endpoint }) => endpoint ?? "");
    byEndpoint.delete("");
    const ready = [...byEndpoint].filter(([endpoint]) => (due.get(endpoint) ?? 0) <= world.monotonic());
    await Promise.all(ready.map(([endpoint, buckets]) => query(endpoint, buckets)));
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        await world.sleep(RHYTHM * (0.95 + 0.1 * world.random()), signal);
      } catch {
        // The end of the loop, which it sees itself.
        continue;
      }
      await round();
    }
  };
  void run();
  return {
    of: (namespace, bucket) => known.get(`${namespace}/${bucket}`),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Asks over HTTP; an answer that is too large is none. */
export async function askOverHttp(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`HTTP ${answer.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > LARGEST_ANSWER) throw new Error(`an answer of more than ${LARGEST_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
