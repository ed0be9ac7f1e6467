/**
 * What changing a machine takes beyond applying it: references that KubeVirt has pinned, fields that another writer left
 * behind, and labels that follow the product's version without meaning a change.
 */
import type { VirtualMachine } from "../../contracts/kubevirt-io.ts";
import { isRecord } from "../../kube/json.ts";
import type { Json } from "../../sdk/context.ts";

export type Machine = ReturnType<typeof VirtualMachine>;
type Reference = Machine["spec"]["instancetype"];
type Patch = { readonly [field: string]: Json };

/** A merge patch of a reference that is there and must become another; empty when the apply alone will do. */
function reference(field: "instancetype" | "preference", live: Reference, wanted: Reference): Patch {
  if (live?.name === undefined || live.name === wanted?.name) return {};
  // KubeVirt refuses another name beside the revision that it pinned to the old one.
  return { [field]: wanted?.name === undefined ? null : { name: wanted.name, revisionName: null } };
}

const domainOf = (machine: Machine) => machine.spec.template.spec?.domain;

/** From a size by number to an instance type and back, which KubeVirt refuses beside each other at any moment. */
function size(live: Machine, wanted: Machine): Patch {
  const [before, after] = [domainOf(live), domainOf(wanted)];
  if (live.spec.instancetype === undefined && wanted.spec.instancetype !== undefined) {
    if (before?.cpu === undefined && before?.resources === undefined) return {};
    const { kind = "", name = "" } = wanted.spec.instancetype;
    return {
      instancetype: { kind, name, revisionName: null },
      template: { spec: { domain: { cpu: null, resources: null } } },
    };
  }
  if (live.spec.instancetype === undefined || wanted.spec.instancetype !== undefined) return {};
  const { cpu, resources } = after ?? {};
  const domain = {
    ...(cpu === undefined ? {} : { cpu: { cores: cpu.cores ?? 1, sockets: cpu.sockets ?? 1 } }),
    ...(resources?.requests === undefined ? {} : { resources: { requests: { ...resources.requests } } }),
  };
  return { template: { spec: { domain } } };
}

/** The old switch `running`, which KubeVirt refuses beside a run strategy. */
function strategy(live: Machine, wanted: Machine): Patch {
  const { runStrategy = "Always" } = wanted.spec;
  return live.spec.running === undefined ? {} : { running: null, runStrategy };
}

/** The merge patch that must go before the apply; see `transition` of a manifest. */
export function transitionOf(live: Machine | undefined, wanted: Machine): Patch | undefined {
  if (live === undefined) return undefined;
  const spec = {
    ...reference("instancetype", live.spec.instancetype, wanted.spec.instancetype),
    ...reference("preference", live.spec.preference, wanted.spec.preference),
    ...size(live, wanted),
    ...strategy(live, wanted),
  };
  return Object.keys(spec).length === 0 ? undefined : { spec };
}

/** Whether `live` has everything that `wanted` says; it may have more in maps, but not in lists. */
function says(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(live) && live.length === wanted.length && wanted.every((item, at) => says(live[at], item));
  }
  if (isRecord(wanted)) return isRecord(live) && Object.entries(wanted).every(([key, value]) => says(live[key], value));
  return live === wanted;
}

/** Labels that a new version of the product changes. */
const versionLabels = ["helm.sh/chart", "app.kubernetes.io/version"] as const;

/**
 * The labels of the pod template: with the live values of the version labels while the rest of the template stays as it is, so
 * that an update of the product alone leaves running machines alone.
 */
export function templateLabels(
  live: Machine | undefined,
  template: { readonly annotations: object; readonly labels: Readonly<Record<string, string>>; readonly spec: object },
): Readonly<Record<string, string>> {
  const { annotations, labels, spec } = template;
  const before = live?.spec.template;
  const fixed = Object.fromEntries(
    Object.entries(labels).filter(([key]) => !versionLabels.some((name) => name === key)),
  );
  if (!says(before, { metadata: { labels: fixed, annotations }, spec })) return labels;
  const kept = versionLabels.flatMap((key) => {
    const value = before?.metadata?.labels?.[key];
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...labels, ...Object.fromEntries(kept) };
}
