/**
 * P6: object stores whose volumes have names under which 1.6 does not look for them. Classes, and what makes them, are the application's
 * own (src/apps/seaweedfs/naming.ts), so that this and its refusal never differ.
 */
import { namingProblem } from "../../apps/seaweedfs/naming.ts";
import { applicationRef } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { type Direction, directionOf, directionText } from "./seaweedfs-direction.ts";
import { type NamedStore, namedStoresSource, storeKind } from "./seaweedfs-objects.ts";
import { type Answer, defineSource, listOf, read, type Source, type Unread } from "./source.ts";

/** A store with, where it has volumes of both names, which of them came first. */
export interface AuditedStore extends NamedStore {
  readonly direction: Direction | undefined;
}

export interface Audit {
  readonly stores: readonly AuditedStore[];
  readonly unread: readonly Unread[];
}

const volumesSource = listOf(
  { group: "", plural: "persistentvolumes" },
  ({ metadata: { name, creationTimestamp } }) => [name, Date.parse(creationTimestamp ?? "")] as const,
  { metadataOnly: true },
);

const auditSource: Source<Audit> = defineSource(
  [...namedStoresSource.reads, ...volumesSource.reads],
  async (reader): Promise<Answer<Audit>> => {
    const found = await namedStoresSource.answer(reader);
    if (found.is !== "read") return found;
    const { stores, unread } = found.value;
    if (!stores.some(({ names }) => names.class === "MIXED"))
      return read({ unread, stores: stores.map((store) => ({ ...store, direction: undefined })) });
    const volumes = await volumesSource.answer(reader);
    if (volumes.is !== "read") return volumes;
    const made = new Map(volumes.value);
    return read({
      unread,
      stores: stores.map((store) => ({
        ...store,
        direction: store.names.class === "MIXED" ? directionIn(store, made) : undefined,
      })),
    });
  },
);

function directionIn({ names, claims }: NamedStore, made: ReadonlyMap<string, number>): Direction {
  const generation = (shown: readonly string[]) => {
    const own = claims.filter(({ name }) => shown.includes(`PersistentVolumeClaim/${name}`));
    const bound = own.flatMap(({ volume }) => (volume === undefined ? [] : [volume]));
    return { claims: own.length, made: bound.map((volume) => made.get(volume)) };
  };
  return directionOf(generation(names.chartNamed), generation(names.releaseNamed));
}

function findingsOf({ place, names, direction, scheme }: AuditedStore): readonly Finding[] {
  const problem = namingProblem(names);
  if (problem === undefined) return [];
  const more = direction === undefined ? [] : directionText(direction, scheme);
  return [
    {
      object: applicationRef(storeKind, place),
      severity: "blocking",
      what: `class ${names.class}: ${[problem.message, ...more].join("; ")}`,
      remedy: [
        problem.remedy,
        `kubectl get persistentvolumeclaims,statefulsets -n ${place.namespace} -l app.kubernetes.io/name=seaweedfs`,
      ],
    },
  ];
}

export const seaweedfsNamingCheck = defineCheck({
  id: "P6",
  title: "Names of object stores' volumes",
  severity: "blocking",
  why: "One version named volumes after the release, 1.6 names them as the chart again. A store that goes on under the other names starts empty beside its data, so that it is refused instead.",
  remedy: [
    "Class S: bind each volume to a claim named as the chart, with the store scaled down. Class MIXED: find out by their contents which volumes have the data, then delete the others by name.",
  ],
  sources: { audit: auditSource },
  classify({ audit }): Classified {
    const { stores, unread } = audit.is === "read" ? audit.value : { stores: [], unread: [] };
    return {
      applies: stores.length > 0,
      findings: stores.flatMap(findingsOf),
      unread,
      notes: stores.map(({ place, names }) => `${place.namespace}/${place.name}: class ${names.class}`),
    };
  },
});
