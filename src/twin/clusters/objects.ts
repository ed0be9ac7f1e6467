/** Keeps objects in a tenant's cluster as players of this one want them. */
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import { digestKey, digestOf, fieldManager, kindOf, makerKey } from "../children.ts";
import { includes } from "../includes.ts";
import type { TenantCluster } from "./fleet.ts";

type Place = Pick<TenantCluster, "client" | "storeOf">;

/** Writes what differs. The status goes by itself, as a kubelet reports it. */
async function keepObject({ client, storeOf }: Place, kind: AnyKind, object: KubeObject, maker: string): Promise<void> {
  const { name, namespace, annotations } = object.metadata;
  const live = storeOf(kind).get(name, namespace);
  // Being deleted: its event plays the maker again.
  if (live?.metadata.deletionTimestamp !== undefined) return;
  const { status, ...rest }: KubeObject & { readonly status?: unknown } = object;
  const digest = digestOf(rest);
  if (live?.metadata.annotations?.[digestKey] !== digest) {
    const marks = { ...annotations, [digestKey]: digest, [makerKey]: maker };
    storeOf(kind).assume(
      await client.apply(kind, { ...rest, metadata: { ...object.metadata, annotations: marks } }, { fieldManager }),
    );
  }
  if (status === undefined || (live !== undefined && "status" in live && includes(live.status, status))) return;
  storeOf(kind).assume(
    await client.mergePatch(kind, name, namespace, { status }, { subresource: "status", fieldManager }),
  );
}

/** Sees to it that of what was made for `maker`, these objects are in the cluster and no others. `kinds`: of all that it may make. */
export async function keepInCluster(
  place: Place,
  maker: string,
  kinds: readonly AnyKind[],
  objects: readonly KubeObject[],
): Promise<void> {
  const wanted = new Set<string>();
  for (const object of objects) {
    wanted.add(`${object.kind}/${object.metadata.namespace ?? ""}/${object.metadata.name}`);
    await keepObject(place, kindOf(object, kinds), object, maker);
  }
  for (const kind of kinds) {
    for (const { metadata } of place.storeOf(kind).list()) {
      if (metadata.annotations?.[makerKey] !== maker || metadata.deletionTimestamp !== undefined) continue;
      if (wanted.has(`${kind.kind}/${metadata.namespace ?? ""}/${metadata.name}`)) continue;
      await place.client.delete(kind, metadata.name, metadata.namespace);
    }
  }
}
