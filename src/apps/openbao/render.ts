/** From an OpenBAO specification to its objects. */

import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim } from "../../contracts/core.ts";
import { ClusterRoleBinding } from "../../contracts/rbac.ts";
import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { growClaims, templateSize } from "../../sdk/claim-growth.ts";
import { helmRelease, innerRelease } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { serversMonitor } from "../../sdk/monitor.ts";
import { matching, optional } from "../../sdk/needs.ts";
import { roleRef, serviceAccount } from "../../sdk/rbac.ts";
import { resources } from "../../sdk/resources.ts";
import { config } from "./config.ts";
import { type Input, isShared, type Spec } from "./spec.ts";

const chart = "cozystack-openbao-application-default-openbao-system";

/** The chart's claim template. */
const template = "data";

/** A label of the servers' pods and claims. */
const serverLabels = (release: string) => ({ "app.kubernetes.io/instance": innerRelease(release) });

/** The servers and their claims as they are, for volumes that are to grow. */
export function needs({ release }: Input) {
  return { set: optional(StatefulSet, release), claims: matching(PersistentVolumeClaim, serverLabels(release)) };
}

function modes(input: Input): object {
  const { replicas } = input.spec;
  if (!isShared(input.spec)) return { standalone: { enabled: true, config: config(input) }, ha: { enabled: false } };
  const raft = { enabled: true, setNodeId: true, config: config(input) };
  return { standalone: { enabled: false }, ha: { enabled: true, replicas, raft } };
}

/** Servers ask the API server whose a token is. The chart's own binding is named as the release alone: tenants would share it. */
function delegation({ release, namespace }: Input): Rendered {
  return ClusterRoleBinding(`${namespace}-${release}-server-binding`, {
    roleRef: roleRef("system:auth-delegator", "ClusterRole"),
    subjects: [serviceAccount(release, namespace)],
  });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec, context, needs: live } = input;
  const outside = "LoadBalancer";
  const values = {
    fullnameOverride: release,
    global: { tlsDisable: true },
    server: {
      podManagementPolicy: "Parallel",
      authDelegator: { enabled: false },
      resources: resources(spec, context),
      persistentVolumeClaimRetentionPolicy: {
        whenDeleted: spec.reclaimPolicy === "Retain" ? "Retain" : "Delete",
        whenScaled: "Retain",
      },
      dataStorage: {
        enabled: true,
        // Never what is new: a claim template does not change, and Helm could not apply the release any more.
        size: templateSize(live.set, template) ?? spec.size,
        ...(spec.storageClass === "" ? {} : { storageClass: spec.storageClass }),
      },
      ...(spec.external ? { service: { type: outside } } : {}),
      ...modes(input),
    },
    ui: { enabled: spec.ui, ...(spec.external ? { serviceType: outside } : {}) },
    injector: { enabled: false },
    csi: { enabled: false },
  };
  const claims = live.claims.filter(({ metadata }) => metadata.name.startsWith(`${template}-${release}-`));
  return [
    helmRelease(release, {
      chart,
      values: { openbao: values },
      impacts: { fewer: { "openbao.server.ha.replicas": "stay" } },
    }),
    delegation(input),
    ...growClaims(claims, spec.size, "spec.size"),
  ];
}

/** Operational when unsealed, which its owner does by hand after each start. */
export function monitors(input: Input): readonly Monitor[] {
  return [serversMonitor(input, serverLabels(input.release))];
}

export function expose({ release }: Input): Exposure {
  return { services: [release, `${release}-internal`], monitors: [release] };
}

export function claims({ release }: Input): readonly StorageClaim[] {
  return [{ group: "", kind: "PersistentVolumeClaim", labels: serverLabels(release) }];
}
