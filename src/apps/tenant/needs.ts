import { Namespace } from "../../contracts/core.ts";
import { Package } from "../../contracts/cozystack-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { AppInput } from "../../sdk/app.ts";
import { type Need, optional } from "../../sdk/needs.ts";
import { enabledModules, modules } from "./modules.ts";
import { childPlace } from "./place.ts";
import type { TenantValues } from "./spec.ts";

/** What a Tenant's render looks at. */
export function needs({ name, namespace, spec, context }: AppInput<TenantValues>) {
  const { namespace: own } = childPlace(name, context.tenant);
  return {
    /** For the owner reference by which a deleted parent takes its tenants along. */
    parent: optional(Namespace, namespace),
    computePlanePackage: spec.computeplane ? optional(Package, "cozystack.computeplane-application") : undefined,
    /** Modules that exist already: some may have been made by their users. */
    modules: Object.fromEntries(
      enabledModules(spec).map((module): [string, Need<KubeObject | undefined>] => [
        module,
        optional(modules[module], module, { namespace: own }),
      ]),
    ),
  };
}

export type TenantNeeds = ReturnType<typeof needs>;
