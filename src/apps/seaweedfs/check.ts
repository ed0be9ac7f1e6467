/**
 * What is refused: what the rules refuse, for documents that no API server has seen, and what only the cluster can tell.
 */
import { StatefulSet } from "../../contracts/apps.ts";
import { ConfigMap, PersistentVolumeClaim } from "../../contracts/core.ts";
import type { RenderInput } from "../../sdk/app.ts";
import { type RefusalDetails, refuse } from "../../sdk/errors.ts";
import { matching, optional } from "../../sdk/needs.ts";
import { isVolumeSize, volumeMessage } from "../../sdk/volume-size.ts";
import { volumeGroups } from "./groups.ts";
import { chartLabel, namingProblem, volumeNames } from "./naming.ts";
import { oddLabel } from "./nodes.ts";
import { messages, reservedEnds, topologies } from "./rules.ts";
import type { Input, Spec } from "./spec.ts";

/** ConfigMap that says which topology was deployed. */
export const topologyRecord = (release: string): string => `${release}-deployed-topology`;

/** What tells how the store was deployed, and under which names. */
export const deployedNeeds = ({ release }: Input) => ({
  record: optional(ConfigMap, topologyRecord(release)),
  master: optional(StatefulSet, `${release}-master`),
  claims: matching(PersistentVolumeClaim, {}),
  sets: matching(StatefulSet, chartLabel),
});

type Deployed = RenderInput<Spec, ReturnType<typeof deployedNeeds>>["needs"];

const invalid = (field: string, message: string, remedy: string): RefusalDetails => ({
  code: "InvalidValue",
  field,
  message,
  remedy,
});

/** The longest part of a volume server's name that fits into its label. */
const longestKey = 63 - "volume-".length;

/** What contradicts itself in the specification. */
function contradiction(input: Input): RefusalDetails | undefined {
  const { topology, filer, volume, replicationFactor } = input.spec;
  const zones = Object.keys(volume.zones).length;
  if (topology === "Client" && filer.grpcHost === "") return invalid("spec.filer.grpcHost", messages.client, "Set it.");
  if (topology === "MultiZone" && zones === 0) return invalid("spec.volume.zones", messages.zones, "List the zones.");
  if (topology === "MultiZone" && replicationFactor > zones)
    return invalid("spec.replicationFactor", messages.copies, `Set it to ${zones} or less, or add zones.`);
  if (topology !== "Simple" && Object.keys(volume.pools).length > 0)
    return invalid("spec.volume.pools", messages.pools, "Move the pools into the zones.");
  return poolProblem(input.spec) ?? nodesProblem(input.spec) ?? keyProblem(input);
}

function poolProblem({ volume }: Spec): RefusalDetails | undefined {
  const all = [
    ...Object.entries(volume.pools).map(([name, pool]) => ({ name, pool, at: "spec.volume.pools" })),
    ...Object.entries(volume.zones).flatMap(([zone, { pools = {} }]) =>
      Object.entries(pools).map(([name, pool]) => ({ name, pool, at: `spec.volume.zones.${zone}.pools` })),
    ),
  ];
  const disks = new Map<string, string>();
  for (const { name, pool, at } of all) {
    if (reservedEnds.some((end) => name.endsWith(end)))
      return invalid(`${at}.${name}`, messages.reserved, "Rename the pool.");
    if (pool.diskType === volume.diskType)
      return invalid(`${at}.${name}.diskType`, messages.ownDisk, "Use another kind of disk.");
    const before = disks.get(name) ?? pool.diskType;
    if (before !== pool.diskType)
      return invalid(`${at}.${name}.diskType`, messages.sameDisk, "Give the pools the same, or other names.");
    disks.set(name, pool.diskType);
  }
  return undefined;
}

/** Labels are texts: what YAML takes for something else must be in quotes. */
function nodesProblem({ volume }: Spec): RefusalDetails | undefined {
  for (const [zone, { nodeSelector = "" }] of Object.entries(volume.zones)) {
    const label = oddLabel(nodeSelector);
    if (label !== undefined)
      return invalid(
        `spec.volume.zones.${zone}.nodeSelector`,
        `the label ${label} has a value that YAML takes for no text`,
        "Put the value in quotes.",
      );
  }
  return undefined;
}

function keyProblem(input: Input): RefusalDetails | undefined {
  const seen = new Set<string>();
  for (const { key, field, size } of volumeGroups(input)) {
    if (!isVolumeSize(size, "always"))
      return invalid(`${field}.size`, volumeMessage("always"), "Write a size such as 10Gi.");
    if (seen.has(key)) return invalid(field, messages.names, "Rename the zone or the pool.");
    seen.add(key);
    if (key.length > longestKey)
      return invalid(
        field,
        `the name ${key} has ${key.length} characters, at most ${longestKey} are possible`,
        "Shorten the name of the zone or the pool.",
      );
  }
  return undefined;
}

/**
 * The topology that was deployed; undefined where nothing tells. Volumes outweigh the record, and a record that names no
 * topology is none: what somebody wrote into it by hand is put right, and does not refuse the store that runs.
 */
function deployedTopology(release: string, { record, master, claims }: Deployed): string | undefined {
  if (claims.some(({ metadata }) => metadata.name === `data1-${release}-volume-0`)) return "Simple";
  const recorded = record?.data?.["topology"];
  if (topologies.some((one) => one === recorded)) return recorded;
  return master === undefined ? undefined : "MultiZone";
}

/** Refuses a specification that means nothing, another topology than the deployed one, and volumes under other names. */
export function check(input: Input, deployed: Deployed): void {
  const wrong = contradiction(input);
  if (wrong !== undefined) refuse(wrong);
  const { release, spec } = input;
  const before = deployedTopology(release, deployed);
  if (before !== undefined && before !== spec.topology)
    refuse({
      code: "ImmutableField",
      field: "spec.topology",
      message: `the store was deployed as ${before} and cannot become ${spec.topology}`,
      remedy: `Set it to ${before}, or move the data to a store in another tenant.`,
    });
  const problem = spec.topology === "Client" ? undefined : namingProblem(volumeNames(release, deployed));
  if (problem !== undefined) refuse({ code: "UnsafeNames", field: "metadata.name", ...problem });
}
