import { Namespace } from "../../contracts/core.ts";
import { KeycloakRealmGroup } from "../../contracts/v1-edp-epam-com.ts";
import type { KubeObject } from "../../kube/object.ts";
import { accessLevels } from "../../sdk/access.ts";
import type { RenderInput } from "../../sdk/app.ts";
import { type AppContext, clusterFlag, type NamespaceValues, type TenantPlace } from "../../sdk/context.ts";
import { refuse } from "../../sdk/errors.ts";
import { keycloakApi, realmRef } from "../../sdk/keycloak.ts";
import { type Manifest, type Rendered, waveOf } from "../../sdk/manifest.ts";
import { ownDomain } from "../../sdk/policies/ingress-hosts.ts";
import { accessObjects } from "./access.ts";
import { checkPlace, checkValues } from "./checks.ts";
import { inheritedValues } from "./inherit.ts";
import { enabledModules, moduleObject } from "./modules.ts";
import type { TenantNeeds } from "./needs.ts";
import { ANCESTORS, childPlace, formatAncestors, isRoot, lineage, valueLabels } from "./place.ts";
import { policies } from "./policies.ts";
import { quotaObjects, shareAnnotations } from "./quota.ts";
import type { TenantValues } from "./spec.ts";
import { valuesSecret } from "./values-secret.ts";

export function render(input: RenderInput<TenantValues, TenantNeeds>): readonly Rendered[] {
  const { name, release, spec, context, needs } = input;
  const place = childPlace(name, context.tenant);
  checkPlace(name, context.tenant, place);
  const values = inheritedValues(name, place.namespace, spec, context.namespace);
  checkValues(spec, values);
  checkComputePlane(spec.computeplane, context, needs.computePlanePackage !== undefined);
  return [
    // tenant-root's own Namespace and values belong to the platform: they come from its configuration.
    ...(isRoot(place)
      ? []
      : [
          namespace(place, values, spec.host !== "", needs.parent),
          valuesSecret(place.namespace, context.cluster, values),
        ]),
    ...accessObjects(place),
    ...policies(place, spec),
    ...keycloakGroups(place.namespace, context),
    ...quotaObjects(place.namespace, spec.resourceQuotas, context),
    ...enabledModules(spec).map((module) => moduleObject(module, place.namespace, release, needs.modules?.[module])),
  ];
}

function namespace(
  place: TenantPlace,
  values: NamespaceValues,
  hasDomain: boolean,
  parent: KubeObject | undefined,
): Manifest {
  const tenantLabels = Object.fromEntries(lineage(place).map((tenant) => [`tenant.cozystack.io/${tenant}`, ""]));
  const uid = parent?.metadata.uid;
  const object = Namespace(place.namespace, {
    labels: {
      ...tenantLabels,
      ...valueLabels(values),
      ...(hasDomain ? { [ownDomain]: "true" } : {}),
      "alpha.kubevirt.io/auto-memory-limits-ratio": "1.0",
    },
    annotations: { [ANCESTORS]: formatAncestors(place), ...shareAnnotations(parent) },
    metadata:
      parent === undefined || uid === undefined
        ? {}
        : {
            ownerReferences: [
              {
                apiVersion: "v1",
                kind: "Namespace",
                name: parent.metadata.name,
                uid,
                controller: true,
                blockOwnerDeletion: true,
              },
            ],
          },
  });
  // Everything else of the tenant lives in it: first to come, last to go.
  return { object, policy: "managed", wave: waveOf(object) - 1 };
}

function keycloakGroups(tenant: string, context: AppContext): readonly KubeObject[] {
  if (!clusterFlag(context.cluster, "oidc-enabled") || !context.apis.has(keycloakApi)) return [];
  return accessLevels.map((level) =>
    KeycloakRealmGroup(`${tenant}-${level}`, {
      namespace: tenant,
      spec: { name: `${tenant}-${level}`, realmRef },
    }),
  );
}

function checkComputePlane(wanted: boolean, context: AppContext, installed: boolean): void {
  if (!wanted || installed || !context.apis.has("cozystack.io/v1alpha1")) return;
  refuse({
    code: "PackageMissing",
    field: "spec.computeplane",
    message: "Package cozystack.computeplane-application is not installed",
    remedy: "Ask an administrator to install the package, or switch the module off.",
  });
}
