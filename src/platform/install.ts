/**
 * Installs the platform into a cluster, or brings an installation up to date. Every step compares first: on an
 * installation that is up to date it writes nothing.
 */
import { apps as catalogue } from "../apps/index.ts";
import { ConfigMap } from "../contracts/core.ts";
import { Package } from "../contracts/cozystack-io.ts";
import { kindByGroupKind } from "../contracts/index.ts";
import type { Client } from "../kube/client.ts";
import { CustomResourceDefinition } from "../kube/kinds/extension.ts";
import type { AnyKind, KubeObject } from "../kube/object.ts";
import { systemWorld, type World } from "../kube/world.ts";
import type { App } from "../sdk/app.ts";
import type { ClusterValues } from "../sdk/context.ts";
import { admissionPolicies } from "../sdk/policies/index.ts";
import { applyBase, baseObjects } from "./apply-base.ts";
import { configuredObjects, rootTenant, systemObjects, Tenant } from "./base-objects.ts";
import { clusterValuesOf } from "./cluster-values.ts";
import { established, ownDefinitions, playedDefinitions } from "./definitions.ts";
import { virtualMachineSizes } from "./instancetypes/index.ts";
import { PLATFORM_PACKAGE } from "./platform-values.ts";
import { inForceObjects, policiesInForce } from "./policies-in-force.ts";
import { keepStoredFields, type NewerDefinitions } from "./stored-fields.ts";

export interface InstallOptions {
  /** Serve other people's kinds too, for a cluster where their operators are played. Default false. */
  readonly twin?: boolean;
  /** Objects to apply last, such as what the twin furnishes a cluster with. */
  readonly furniture?: readonly KubeObject[];
  /** Default: all applications. */
  readonly apps?: readonly App[];
  /** Default `refuse`. */
  readonly newerDefinitions?: NewerDefinitions;
  readonly world?: World;
  readonly signal?: AbortSignal;
  /** Told what each step wrote. */
  readonly log?: (line: string) => void;
}

export interface Installed {
  /** Kind and name of every object that was written; empty where nothing had to be. */
  readonly written: readonly string[];
}

/** See above. Rejects with the first failure; run again, it continues. */
export async function installPlatform(client: Client, options: InstallOptions = {}): Promise<Installed> {
  const {
    twin = false,
    furniture = [],
    apps = catalogue,
    world = systemWorld,
    signal,
    log = () => undefined,
  } = options;
  const written: string[] = [];
  const calls = { client, world, ...(signal === undefined ? {} : { signal }) };

  async function step(title: string, objects: readonly KubeObject[]): Promise<void> {
    const done = await applyBase(baseObjects(objects, kindOf), calls);
    written.push(...done);
    if (done.length > 0) log(`${title}: ${done.length} written`);
  }

  const kept = await keepStoredFields(
    client,
    apps.map((app) => app.crd()),
    options.newerDefinitions,
    signal,
  );
  if (kept.size > 0) log(`definitions of a newer version stay: ${[...kept].join(", ")}`);
  const ours = ownDefinitions(apps).filter(({ metadata }) => !kept.has(metadata.name));
  const definitions = [...ours, ...(twin ? await playedDefinitions(client) : [])];
  await step("definitions", definitions);
  await established(
    client,
    definitions.map(({ metadata }) => metadata.name),
    world,
    signal,
  );
  const [namespaces, rest] = byKind(systemObjects(), "Namespace");
  const [rootNamespace, values] = byKind(configuredObjects(await readClusterValues(client)), "Namespace");
  await step("namespaces", [...namespaces, ...rootNamespace]);
  await step("roles and accounts", rest);
  const policies = admissionPolicies(apps);
  await step("admission policies", policies);
  await step("sign of the policies", inForceObjects(policies));
  await policiesInForce(client, policies, world, signal);
  await step("platform values", values);
  if (twin || (await serves(client, "instancetype.kubevirt.io"))) await step("machine sizes", virtualMachineSizes);
  await step("furniture", furniture);
  await step("root tenant", [rootTenant()]);
  return { written };
}

/** `_cluster` of this cluster, as its Package and ConfigMaps say now. */
export async function readClusterValues(client: Client): Promise<ClusterValues> {
  const [pkg, rootCa, legacy] = await Promise.all([
    client.get(Package, PLATFORM_PACKAGE),
    client.get(ConfigMap, "kube-root-ca.crt", "kube-system"),
    client.get(ConfigMap, "cozystack", "cozy-system"),
  ]);
  const certificate = rootCa?.data?.["ca.crt"];
  return clusterValuesOf({
    package: pkg,
    ...(certificate === undefined ? {} : { rootCertificate: certificate }),
    ...(legacy?.data === undefined ? {} : { legacy: legacy.data }),
  });
}

function kindOf(group: string, kind: string): AnyKind | undefined {
  const ours: readonly AnyKind[] = [Tenant, CustomResourceDefinition];
  return ours.find((each) => each.group === group && each.kind === kind) ?? kindByGroupKind(group, kind);
}

function byKind(objects: readonly KubeObject[], kind: string): readonly [readonly KubeObject[], readonly KubeObject[]] {
  return [objects.filter((object) => object.kind === kind), objects.filter((object) => object.kind !== kind)];
}

async function serves(client: Client, group: string): Promise<boolean> {
  const { items } = await client.listMetadata(CustomResourceDefinition);
  return items.some(({ metadata }) => metadata.name.endsWith(`.${group}`));
}
