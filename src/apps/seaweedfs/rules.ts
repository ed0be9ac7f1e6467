/**
 * What texts may be, and what contradicts itself, as CEL for the API server. check.ts refuses the same.
 */
import { growOnly, type PlacedRule, requires, rule } from "../../sdk/spec.ts";

/** How the servers are laid out. Fixed with the first deployment. */
export const topologies = ["Simple", "MultiZone", "Client"] as const;

/** Most zones, and most pools of each. */
export const longestMap = 20;

/** Zones and pools are parts of names. */
export const label = "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$";
/** One character of a kind of disk. */
export const diskType = "[a-z0-9]";

const word = "[a-zA-Z0-9]([-a-zA-Z0-9_.]*[a-zA-Z0-9])?";
const line = `(${word}(/${word})?: +("(${word})?"|'(${word})?'|${word})[ ]*|[ ]*(#[^\\n]*)?)`;
/** Lines of labels. The chart writes them as they are: nothing but labels may be there. */
export const nodeSelector = `^(${line}\\n)*${line}$`;

/** Ends of the names of classes that are made for each pool. */
export const reservedEnds = ["-lock", "-readonly"] as const;

export const messages = {
  client: "topology Client needs filer.grpcHost, where the filers are",
  zones: "topology MultiZone needs volume.zones",
  copies: "replicationFactor is more than there are zones: each copy is in another zone",
  pools: "volume.pools is for topology Simple; in MultiZone pools are in volume.zones, a Client has none",
  reserved: "names of pools cannot end in -lock or -readonly: each pool has classes of these names",
  ownDisk: "diskType of a pool must differ from volume.diskType, by which buckets find the other volumes",
  sameDisk: "a pool of several zones must have the same diskType in all of them",
  names: "the name of a zone is that of another zone with one of its pools: their volumes would have one name",
} as const;

const multiZone = "self.topology == 'MultiZone'";
const notReserved = (path: string): PlacedRule =>
  rule({
    path,
    rule: `self.all(pool, ${reservedEnds.map((end) => `!pool.endsWith('${end}')`).join(" && ")})`,
    message: messages.reserved,
  });

export const rules: readonly PlacedRule[] = [
  requires({
    field: "filer.grpcHost",
    when: "self.topology == 'Client'",
    must: "self.filer.grpcHost != ''",
    message: messages.client,
  }),
  requires({
    field: "volume.zones",
    when: multiZone,
    must: "size(self.volume.zones) > 0",
    message: messages.zones,
  }),
  requires({
    field: "replicationFactor",
    when: `${multiZone} && size(self.volume.zones) > 0`,
    must: "self.replicationFactor <= size(self.volume.zones)",
    message: messages.copies,
  }),
  requires({
    field: "volume.pools",
    when: "self.topology != 'Simple'",
    must: "size(self.volume.pools) == 0",
    message: messages.pools,
  }),
  notReserved("volume.pools"),
  notReserved("volume.zones.*.pools"),
  rule({
    path: "volume",
    rule: "self.pools.all(pool, self.pools[pool].diskType != self.diskType) && self.zones.all(zone, !has(self.zones[zone].pools) || self.zones[zone].pools.all(pool, self.zones[zone].pools[pool].diskType != self.diskType))",
    message: messages.ownDisk,
  }),
  rule({
    path: "volume.zones",
    rule: "self.all(a, !has(self[a].pools) || self.all(b, !has(self[b].pools) || self[a].pools.all(pool, !(pool in self[b].pools) || self[a].pools[pool].diskType == self[b].pools[pool].diskType)))",
    message: messages.sameDisk,
  }),
  rule({
    path: "volume.zones",
    rule: "self.all(zone, !has(self[zone].pools) || self[zone].pools.all(pool, !((zone + '-' + pool) in self)))",
    message: messages.names,
  }),
  growOnly("db.size"),
  growOnly("volume.size"),
];
