/**
 * Object stores and what names their volumes: found as their chart's own guard finds them, and told by the same function.
 */
import { chartLabel, chartName, type VolumeNames, volumeNames } from "../../apps/seaweedfs/naming.ts";
import { valueAt } from "../../kube/json.ts";
import type { UnknownObject } from "../../kube/object.ts";
import { concurrently } from "../../reconcile/concurrently.ts";
import { innerRelease } from "../../sdk/inner-release.ts";
import { decodeHelmPayload } from "../helm-payload.ts";
import { applicationsOf, type Place } from "./applications.ts";
import { textIn } from "./fields.ts";
import {
  type Answer,
  defineSource,
  listOf,
  type Reader,
  read,
  type Source,
  type Unread,
  unreadable,
} from "./source.ts";

export const storeKind = "SeaweedFS";

/** Object stores as ordered. A `Client` has no servers of its own. */
export const storesSource = applicationsOf({ kind: storeKind, plural: "seaweedfses" }, (spec) => ({
  client: textIn(spec, "topology") === "Client",
}));

interface Claim extends Place {
  readonly volume: string | undefined;
}

const claimsSource: Source<readonly Claim[]> = listOf(
  { group: "", plural: "persistentvolumeclaims" },
  ({ metadata: { namespace = "", name }, spec }: UnknownObject) =>
    name.startsWith("data1-") ? { namespace, name, volume: textIn(spec, "volumeName") } : undefined,
);

const setsSource = listOf(
  { group: "apps", plural: "statefulsets" },
  ({ metadata: { namespace = "", name } }): Place => ({ namespace, name }),
  { metadataOnly: true, labelSelector: `app.kubernetes.io/name=${chartLabel["app.kubernetes.io/name"]}` },
);

/** The oldest revision that Helm keeps of a release. */
interface Revision extends Place {
  readonly release: string;
  readonly number: number;
}

const revisionsSource = listOf(
  { group: "", plural: "secrets" },
  ({ metadata: { namespace = "", name, labels } }): Revision | undefined => {
    const release = labels?.["name"] ?? "";
    const number = Number(labels?.["version"] ?? Number.NaN);
    return release.length > innerRelease("").length && release.endsWith(innerRelease(""))
      ? { namespace, name, release, number }
      : undefined;
  },
  { metadataOnly: true, fieldSelector: "type=helm.sh/release.v1" },
);

/** Each is some megabytes once it is decoded. */
const payloadsAtATime = 4;

/** One object store, with its volumes. */
export interface NamedStore {
  readonly place: Place;
  readonly names: VolumeNames;
  /** Claims with each kind of name, and their volumes. */
  readonly claims: readonly Claim[];
  /** How the oldest revision that Helm keeps named what it made, if that is the first one. */
  readonly scheme: Scheme | undefined;
}

/** How the first revision named what it made; undefined where it does not tell. */
export type Scheme = "legacy" | "renamed";

export interface Stores {
  readonly stores: readonly NamedStore[];
  readonly unread: readonly Unread[];
}

/** How a manifest names the master, which is there in every topology. */
export function schemeOf(manifest: string, release: string): Scheme | undefined {
  const names = new Set([...manifest.matchAll(/^\s*name:\s*"?([a-z0-9.-]+)"?\s*$/gm)].map(([, name]) => name));
  if (names.has(`${chartName}-master`)) return "legacy";
  return names.has(`${release}-master`) || names.has(`${release}-${chartName}-master`) ? "renamed" : undefined;
}

const oldestOf = (revisions: readonly Revision[]): readonly Revision[] => {
  const oldest = new Map<string, Revision>();
  for (const one of revisions) {
    const key = `${one.namespace}/${one.release}`;
    const before = oldest.get(key);
    if (before === undefined || one.number < before.number) oldest.set(key, one);
  }
  return [...oldest.values()];
};

/**
 * Every object store with volumes of either name. Which releases are object stores is told by their chart, which only their payload
 * says; it is read of those alone beside which there are volumes that may be theirs.
 */
export const namedStoresSource: Source<Stores> = defineSource(
  [...new Set([claimsSource, setsSource, revisionsSource, storesSource].flatMap(({ reads }) => reads))],
  async (reader): Promise<Answer<Stores>> => {
    const [claims, sets, revisions, ordered] = await Promise.all([
      claimsSource.answer(reader),
      setsSource.answer(reader),
      revisionsSource.answer(reader),
      storesSource.answer(reader),
    ]);
    if (claims.is !== "read") return claims;
    if (sets.is !== "read") return sets;
    if (revisions.is !== "read") return revisions;
    if (ordered.is === "unreadable") return ordered;
    const claimsIn = Map.groupBy(claims.value, ({ namespace }) => namespace);
    const setsIn = Map.groupBy(sets.value, ({ namespace }) => namespace);
    const named = (place: Place) => {
      const own = claimsIn.get(place.namespace) ?? [];
      const live = { claims: own.map(metadataOf), sets: (setsIn.get(place.namespace) ?? []).map(metadataOf) };
      return { place, names: volumeNames(place.name, live), claims: own };
    };
    const candidates = oldestOf(revisions.value).flatMap((revision) => {
      const store = named({ namespace: revision.namespace, name: revision.release.slice(0, -innerRelease("").length) });
      return store.names.class === "none" ? [] : [{ revision, store }];
    });
    const told = await concurrently(candidates, payloadsAtATime, async ({ revision, store }) => ({
      store,
      answer: await originOf(reader, revision),
    }));
    const stores: NamedStore[] = told.flatMap(({ store, answer }) =>
      answer.is === "read" && answer.value.isStore ? [{ ...store, scheme: answer.value.scheme }] : [],
    );
    const known = new Set(stores.map(({ place }) => `${place.namespace}/${place.name}`));
    // Ordered, but of no release that is kept: its volumes count all the same.
    const others = ordered.is === "read" ? ordered.value.filter(({ client }) => !client) : [];
    for (const { namespace, name } of others) {
      const store = named({ namespace, name });
      if (store.names.class === "none" || known.has(`${namespace}/${name}`)) continue;
      stores.push({ ...store, scheme: undefined });
    }
    return read({ stores, unread: unreadable(told.map(({ answer }) => answer)) });
  },
);

const metadataOf = ({ name }: Place) => ({ metadata: { name } });

/** What the oldest revision says. Its manifest is let go at once. */
interface Origin {
  readonly isStore: boolean;
  readonly scheme: Scheme | undefined;
}

async function originOf(reader: Reader, { namespace, name, release }: Revision): Promise<Answer<Origin>> {
  const answer = await reader.get({ group: "", plural: "secrets" }, name, namespace);
  const what = `Secret ${namespace}/${name}`;
  if (answer.is !== "read") return answer;
  if (answer.value === undefined) return { is: "unreadable", what, problem: "it was gone before it could be read" };
  const decoded = decodeHelmPayload(valueAt(answer.value, "data", "release"));
  if (decoded.is === "undecodable") return { is: "unreadable", what, problem: decoded.problem };
  const { chart, revision, manifest } = decoded.payload;
  const scheme = revision === 1 ? schemeOf(manifest, release) : undefined;
  return read({ isStore: chart === `cozy-${chartName}`, scheme });
}
