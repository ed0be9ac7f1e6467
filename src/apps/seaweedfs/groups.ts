/** The groups of volume servers: what topology, zones and pools come to. */
import { type Resources, resources } from "../../sdk/resources.ts";
import { zoneNodes } from "./nodes.ts";
import type { Input, Spec } from "./spec.ts";

export interface VolumeGroup {
  /** Empty: the one group that is neither of a pool nor of a zone. */
  readonly key: string;
  /** Field of the specification that it comes from. */
  readonly field: string;
  readonly replicas: number;
  readonly size: string;
  readonly storageClass: string;
  readonly diskType: string;
  readonly resources: Resources;
  readonly place?: { readonly dataCenter: string; readonly nodeSelector: string };
}

type Volume = Spec["volume"];
type Pool = Volume["pools"][string];

/** What a pool leaves to where it is. */
type Surroundings = Pick<VolumeGroup, "replicas" | "size" | "storageClass" | "place">;

/** In one order, whatever the order of the map's keys. */
function sorted<V>(map: Readonly<Record<string, V>> = {}): readonly (readonly [string, V])[] {
  return Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1));
}

/** An empty text counts as absent, a number does not. */
const chosen = (own: string | number | undefined, otherwise: string | number): string =>
  String(own === undefined || own === "" ? otherwise : own);

/** The group outside pools and zones. In MultiZone it is switched off and yet described. */
export function baseGroup({ spec: { volume }, context }: Input): VolumeGroup {
  const { replicas, size, storageClass, diskType } = volume;
  const sized = resources(volume, context, "spec.volume");
  return { key: "", field: "spec.volume", replicas, size: String(size), storageClass, diskType, resources: sized };
}

function poolGroup(input: Input, key: string, field: string, pool: Pool, around: Surroundings): VolumeGroup {
  const { volume } = input.spec;
  const resourcesPreset = pool.resourcesPreset ?? volume.resourcesPreset;
  const sized = { resourcesPreset, ...(pool.resources === undefined ? {} : { resources: pool.resources }) };
  return {
    ...around,
    key,
    field,
    replicas: pool.replicas ?? around.replicas,
    size: chosen(pool.size, around.size),
    storageClass: chosen(pool.storageClass, around.storageClass),
    diskType: pool.diskType,
    resources: resources(sized, input.context, field),
  };
}

function zoneGroups(input: Input, base: VolumeGroup): readonly VolumeGroup[] {
  return sorted(input.spec.volume.zones).flatMap(([name, zone]) => {
    const field = `spec.volume.zones.${name}`;
    const around = {
      replicas: zone.replicas ?? base.replicas,
      size: chosen(zone.size, base.size),
      storageClass: chosen(zone.storageClass, base.storageClass),
      place: {
        dataCenter: chosen(zone.dataCenter, name),
        nodeSelector: chosen(zone.nodeSelector, zoneNodes(name)),
      },
    };
    const pools = sorted(zone.pools).map(([pool, given]) =>
      poolGroup(input, `${name}-${pool}`, `${field}.pools.${pool}`, given, around),
    );
    return [{ ...base, ...around, key: name, field }, ...pools];
  });
}

/** The groups beside {@link baseGroup}: pools in Simple, zones and their pools in MultiZone. */
export function ownGroups(input: Input): readonly VolumeGroup[] {
  const base = baseGroup(input);
  const { topology, volume } = input.spec;
  if (topology === "MultiZone") return zoneGroups(input, base);
  return topology === "Simple"
    ? sorted(volume.pools).map(([name, pool]) => poolGroup(input, name, `spec.volume.pools.${name}`, pool, base))
    : [];
}

/** Every group that runs. */
export function volumeGroups(input: Input): readonly VolumeGroup[] {
  return [...(input.spec.topology === "Simple" ? [baseGroup(input)] : []), ...ownGroups(input)];
}

/** Names of all pools, in whatever zone, with their kind of disk. */
export function poolDisks({ topology, volume }: Spec): readonly (readonly [string, string])[] {
  const all = topology === "Simple" ? [volume.pools] : Object.values(volume.zones).map(({ pools = {} }) => pools);
  const disks = new Map(all.flatMap((pools) => sorted(pools).map(([name, { diskType }]) => [name, diskType] as const)));
  return topology === "Client" ? [] : [...disks].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** `volume` or `volume-<key>`: the chart's component, and the end of the names of what it makes for the group. */
export const componentOf = ({ key }: Pick<VolumeGroup, "key">): string => (key === "" ? "volume" : `volume-${key}`);
