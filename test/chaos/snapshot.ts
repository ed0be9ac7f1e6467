/**
 * Everything in a namespace as text in which nothing is left that chance or time decides: equal states give equal text.
 */
import { createHash } from "node:crypto";
import { Namespace } from "../../src/contracts/core.ts";
import { builtinKinds, contractKinds } from "../../src/contracts/index.ts";
import type { Client } from "../../src/kube/client.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { AnyKind, KubeObject } from "../../src/kube/object.ts";
import { canonical } from "../../src/reconcile/digest.ts";
import { kindOfApp } from "../../src/reconcile/instance.ts";
import { parseEntry } from "../../src/reconcile/inventory-record.ts";
import type { App } from "../../src/sdk/app.ts";

/** Made by others, in their own time. */
const IGNORED: ReadonlySet<string> = new Set(["Event", "EndpointSlice", "Endpoints", "Lease", "Pod"]);
const VOLATILE: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "lastTransitionTime",
  "lastProbeTime",
  "time",
  "clusterIP",
  "clusterIPs",
  "nodePort",
  "generation",
  "observedGeneration",
  "startTime",
]);
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export interface Snapshot {
  /** By `Kind name`, names made equal. */
  readonly objects: ReadonlyMap<string, string>;
}

/** Reads all objects of a namespace and of those whose names begin with its name and a dash, these included. */
export async function snapshot(client: Client, namespace: string, apps: readonly App[]): Promise<Snapshot> {
  const children = (await client.list(Namespace)).items.filter(({ metadata }) =>
    metadata.name.startsWith(`${namespace}-`),
  );
  const names = [namespace, ...children.map(({ metadata }) => metadata.name)];
  const contents = await Promise.all(names.map((name) => objectsIn(client, name, apps)));
  const objects: readonly KubeObject[] = [...children, ...contents.flat()];
  const replace = replacer(objects, namespace);
  const texts = objects
    .map((object) => {
      const text = canonical(plain(object, replace));
      const within = object.metadata.namespace === namespace ? "" : `${object.metadata.namespace ?? ""} `;
      return { name: replace(`${within}${object.kind} ${object.metadata.name}`), text: replace(text) };
    })
    .toSorted((a, b) => (`${a.name} ${a.text}` < `${b.name} ${b.text}` ? -1 : 1));
  // Jobs whose names differ in their hashes alone are told apart by what they are.
  const named = texts.map(
    ({ name, text }, at) => [texts[at - 1]?.name === name ? `${name} (again)` : name, text] as const,
  );
  return { objects: new Map(named) };
}

async function objectsIn(client: Client, namespace: string, apps: readonly App[]): Promise<readonly KubeObject[]> {
  const kinds: readonly AnyKind[] = [...apps.map(kindOfApp), ...builtinKinds, ...contractKinds];
  const lists = await Promise.all(
    kinds
      .filter((kind) => kind.namespaced && !IGNORED.has(kind.kind))
      .map(async (kind) => {
        try {
          return (await client.list(kind, { namespace, managedFields: true })).items;
        } catch (error) {
          if (isApiError(error, "Unserved", "MethodNotAllowed")) return [];
          throw error;
        }
      }),
  );
  const standard = new Set(["ConfigMap kube-root-ca.crt", "ServiceAccount default"]);
  return lists.flat().filter(({ kind, metadata }) => !standard.has(`${kind} ${metadata.name}`));
}

/** Without what differs from run to run by nature. */
function plain(value: unknown, replace: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => plain(item, replace));
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !VOLATILE.has(key));
  const object = Object.fromEntries(kept.map(([key, item]) => [key, sorted(key, plain(item, replace))]));
  // Its pods come and go in their own time.
  if (value["kind"] === "Job" && "status" in value) return { ...object, status: undefined };
  return value["kind"] === "Inventory" ? { ...object, spec: plainInventory(value, replace) } : object;
}

/** Field owners in an order that does not depend on who wrote last. */
function sorted(key: string, value: unknown): unknown {
  if (key !== "managedFields" || !Array.isArray(value)) return value;
  return value.toSorted((a, b) => (canonical(a) < canonical(b) ? -1 : 1));
}

/** An inventory's lines without uids and digests: what is listed, and as what. */
function plainInventory(inventory: unknown, replace: (text: string) => string): unknown {
  const spec = valueAt(inventory, "spec");
  const lines = valueAt(spec, "entries");
  const entries = (Array.isArray(lines) ? lines : []).map((line) => {
    const entry = parseEntry(String(line));
    if (entry === undefined) return line;
    const { desired, accepted, ref, ...flags } = entry;
    // A uid is stored with whatever is written next: when that is depends on where a run was interrupted.
    const { uid: _, ...place } = ref;
    return replace(canonical({ ...flags, place, applied: desired !== undefined && accepted !== undefined }));
  });
  const { instance: _, ...rest } = isRecord(spec) ? spec : {};
  return plain({ ...rest, entries: entries.toSorted() }, replace);
}

/** Replaces values of Secrets, hashes in the names of Jobs, uids and the namespace by what they stand for. */
function replacer(objects: readonly KubeObject[], namespace: string): (text: string) => string {
  const pairs: (readonly [string, string])[] = [];
  for (const object of objects) {
    const { name } = object.metadata;
    if (object.kind === "Job") pairs.push([name, name.replace(/-[a-z0-9]+$/, "-HASH")]);
    const owner = object.metadata.annotations?.["internal.cozystack.io/owner"];
    if (owner !== undefined) pairs.push([owner, "OWNER"]);
    const retained = object.metadata.annotations?.["internal.cozystack.io/retained"];
    if (retained !== undefined) pairs.push([retained, "RETAINED"]);
    if (object.kind !== "Secret") continue;
    const data = valueAt(object, "data");
    for (const [key, value] of Object.entries(isRecord(data) ? data : {})) {
      const place = `<${name}/${key}>`;
      const decoded = Buffer.from(String(value), "base64").toString();
      // Short texts may occur anywhere by chance.
      if (decoded.length >= 8 && !decoded.includes("\n")) pairs.push([decoded, place]);
      pairs.push([String(value), place]);
      pairs.push([createHash("sha256").update(decoded).digest("hex"), `<sha256 of ${name}/${key}>`]);
    }
  }
  const ordered = pairs.filter(([text]) => text.length >= 8).toSorted(([a], [b]) => b.length - a.length);
  return (text) =>
    ordered
      .reduce((now, [from, to]) => now.replaceAll(from, to), text)
      .replaceAll(namespace, "NAMESPACE")
      .replaceAll(UUID, "UUID");
}

/** What differs between two snapshots, as lines for people; empty when nothing does. */
export function difference(expected: Snapshot, actual: Snapshot): readonly string[] {
  const names = new Set([...expected.objects.keys(), ...actual.objects.keys()]);
  return [...names].flatMap((name) => {
    const [want, have] = [expected.objects.get(name), actual.objects.get(name)];
    if (want === have) return [];
    if (want === undefined) return [`${name}: should not be there`];
    if (have === undefined) return [`${name}: is missing`];
    const at = [...want].findIndex((letter, index) => letter !== have[index]);
    const around = (text: string) => text.slice(Math.max(0, at - 80), at + 120);
    return [`${name}: ...${around(want)}... became ...${around(have)}...`];
  });
}
