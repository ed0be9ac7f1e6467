/**
 * What became of each migration, in one object: a ConfigMap, since migrations run before our own kinds are served. Its keys are
 * the migrations' numbers.
 */
import { ConfigMap } from "../../contracts/core.ts";
import type { CallOptions, Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { isRecord } from "../../kube/json.ts";
import { formatRef, type ObjectRef, parseRef } from "../../kube/object.ts";
import { noDeleteLabel } from "../../sdk/policies/index.ts";
import { stampObject } from "../versions.ts";

/** Name of the record, and of the Lease that lets one run at a time. */
export const recordName = "cozystack-migrations";

/** `done`: everything was written and verified. `nothing`: there was nothing to do. Both are final; the others are tried again. */
export type RecordedResult = "done" | "nothing" | "incomplete" | "failed";

export interface RecordEntry {
  readonly result: RecordedResult;
  /** RFC 3339. */
  readonly at: string;
  /** Version of the program. */
  readonly by: string;
  /** Writes of the run that ended it. */
  readonly writes: number;
  /** Why it is not done, or why there was nothing to do. */
  readonly message?: string;
  /** Objects that failed, the first of them. */
  readonly failed?: readonly ObjectRef[];
}

export type MigrationRecord = ReadonlyMap<number, RecordEntry>;

/** Objects listed of an entry: the record is for people, and has a size. */
const MOST_LISTED = 50;

export function isFinal(entry: RecordEntry | undefined): boolean {
  return entry !== undefined && (entry.result === "done" || entry.result === "nothing");
}

const results: ReadonlySet<string> = new Set(["done", "nothing", "incomplete", "failed"]);
const isResult = (value: unknown): value is RecordedResult => typeof value === "string" && results.has(value);

/** One entry; undefined for what this program did not write, which then counts as not done. */
export function parseRecordEntry(text: string): RecordEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  const { result, at, by, writes, message, failed } = value;
  if (!isResult(result) || typeof at !== "string") return undefined;
  const refs = (Array.isArray(failed) ? failed : []).flatMap((one) => parseRef(String(one)) ?? []);
  return {
    result,
    at,
    by: String(by),
    writes: Number(writes),
    ...(typeof message === "string" ? { message } : {}),
    ...(refs.length === 0 ? {} : { failed: refs }),
  };
}

export function formatRecordEntry({ failed = [], ...rest }: RecordEntry): string {
  const listed = failed.slice(0, MOST_LISTED).map(({ uid: _, ...ref }) => formatRef(ref));
  return JSON.stringify({ ...rest, ...(listed.length === 0 ? {} : { failed: listed }) });
}

export interface StoredRecord {
  readonly object: ReturnType<typeof ConfigMap> | undefined;
  readonly entries: MigrationRecord;
}

export async function readRecord(client: Client, call: CallOptions = {}): Promise<StoredRecord> {
  const object = await client.get(ConfigMap, recordName, stampObject.namespace, call);
  const entries = Object.entries(object?.data ?? {}).flatMap(([key, text]): [number, RecordEntry][] => {
    const entry = parseRecordEntry(text);
    return entry === undefined || !/^\d+$/.test(key) ? [] : [[Number(key), entry]];
  });
  return { object, entries: new Map(entries) };
}

/** Whether two entries say the same of a migration, whenever they were written. */
function says(a: RecordEntry, b: RecordEntry): boolean {
  const plain = ({ at: _, by: __, writes: ___, ...rest }: RecordEntry) =>
    formatRecordEntry({ ...rest, at: "", by: "", writes: 0 });
  return plain(a) === plain(b);
}

/** Writes one entry where it says something new; the others are left as they are. */
export async function writeRecord(
  client: Client,
  id: number,
  entry: RecordEntry,
  call: CallOptions = {},
): Promise<void> {
  const { entries, object } = await readRecord(client, call);
  const known = entries.get(id);
  if (known !== undefined && entry.writes === 0 && says(known, entry)) return;
  const data = { [String(id)]: formatRecordEntry(entry) };
  if (object !== undefined) {
    await client.mergePatch(ConfigMap, recordName, stampObject.namespace, { data }, call);
    return;
  }
  const fresh = ConfigMap(recordName, {
    namespace: stampObject.namespace,
    labels: { [noDeleteLabel]: "true" },
    annotations: { "helm.sh/resource-policy": "keep" },
    data,
  });
  try {
    await client.create(ConfigMap, fresh, call);
  } catch (error) {
    if (!isApiError(error, "AlreadyExists")) throw error;
    await writeRecord(client, id, entry, call);
  }
}
