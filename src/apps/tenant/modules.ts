/**
 * A tenant's modules: applications of which it has at most one each, switched on by a flag in its spec. The Tenant sees to
 * it that the module exists and is labelled; the module's own spec belongs to whoever configures it.
 */
import { defineKind, type KindConstructor } from "../../kube/define-kind.ts";
import type { KubeObject } from "../../kube/object.ts";
import { lineageLabels } from "../../sdk/lineage.ts";
import { patchExisting, type Rendered } from "../../sdk/manifest.ts";

/** Label of every object that is a module of its namespace's tenant. */
const MODULE_LABEL = "internal.cozystack.io/tenantmodule";

/** On every object that the controller made for an application; only the controller may write it. */
const OWNER_ANNOTATION = "internal.cozystack.io/owner";

const app = (kind: string, plural: string, group = "apps.cozystack.io"): KindConstructor<KubeObject> =>
  defineKind<KubeObject>({ group, version: "v1alpha1", kind, plural, namespaced: true });

/** Kinds by the name that the module's object has. */
export const modules = {
  etcd: app("Etcd", "etcds"),
  monitoring: app("Monitoring", "monitorings"),
  ingress: app("Ingress", "ingresses"),
  seaweedfs: app("SeaweedFS", "seaweedfses"),
  // Not one of the kinds that users order, so it is served outside their group.
  gateway: app("Gateway", "gateways", "internal.cozystack.io"),
  computeplane: app("ComputePlane", "computeplanes"),
  info: app("Info", "infos"),
} as const satisfies Record<string, KindConstructor<KubeObject>>;

export type ModuleName = keyof typeof modules;

export interface ModuleSwitches {
  readonly etcd: boolean;
  readonly monitoring: boolean;
  readonly ingress: boolean;
  readonly seaweedfs: boolean;
  readonly gateway?: boolean;
  readonly computeplane: boolean;
}

/** The modules that the spec switches on, in a fixed order; `info` is always on. */
export function enabledModules(spec: ModuleSwitches): readonly ModuleName[] {
  const on: Readonly<Record<ModuleName, boolean>> = { ...spec, gateway: spec.gateway === true, info: true };
  return Object.keys(modules).filter((name): name is ModuleName => isModuleName(name) && on[name]);
}

function isModuleName(name: string): name is ModuleName {
  return Object.hasOwn(modules, name);
}

/**
 * The module's object. One that somebody made before the Tenant switched it on only gets its labels: it is neither owned
 * nor deleted when the Tenant switches it off again.
 */
export function moduleObject(
  name: ModuleName,
  namespace: string,
  release: string,
  live: KubeObject | undefined,
): Rendered {
  const object = modules[name](name, {
    namespace,
    labels: {
      // Its own identity, not the Tenant's: what belongs to the module is found by these.
      ...lineageLabels({ group: modules[name].group, kind: modules[name].kind, name }),
      "sharding.fluxcd.io/key": "tenants",
      [MODULE_LABEL]: "true",
      "app.kubernetes.io/instance": release,
    },
  });
  const madeByUser = live !== undefined && live.metadata.annotations?.[OWNER_ANNOTATION] === undefined;
  return madeByUser ? patchExisting(object) : object;
}
