/**
 * A small application for tests of the reconcile path: a Secret with a generated password, a ConfigMap, a Service and a
 * Job that runs once per content, all of Kubernetes' own kinds.
 */

import { Type } from "typebox";
import { ConfigMap, Secret, Service } from "../../src/contracts/core.ts";
import { contractCrd } from "../../src/contracts/crd.ts";
import { contractKinds, ownKinds } from "../../src/contracts/index.ts";
import type { Client } from "../../src/kube/client.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { CustomResourceDefinition } from "../../src/kube/kinds/extension.ts";
import { Job } from "../../src/kube/kinds/workloads.ts";
import type { AnyKind, Kind, KubeObject } from "../../src/kube/object.ts";
import type { App } from "../../src/sdk/app.ts";
import type { AppContext } from "../../src/sdk/context.ts";
import { defineApp } from "../../src/sdk/define-app.ts";
import { contentHash } from "../../src/sdk/hash.ts";
import { createOnly, keep, runOnce } from "../../src/sdk/manifest.ts";
import { alphanumeric, generatedSecret, required } from "../../src/sdk/needs.ts";
import { appSpec, flag, integer, listOf, text } from "../../src/sdk/spec.ts";
import { eventually } from "./eventually.ts";

export const testContext: AppContext = {
  cluster: {},
  namespace: { host: "", etcd: "", ingress: "", gateway: "", monitoring: "", seaweedfs: "", schedulingClass: "" },
  tenant: { namespace: "tenant-test", ancestors: ["tenant-root"] },
  chartVersion: "1.0.0",
  apis: new Set(),
};

/** `Gizmo`: every policy, a generated Secret, an optional need, objects that come and go. */
export const gizmo: App = defineApp({
  kind: "Gizmo",
  plural: "gizmos",
  release: "gizmo-",
  catalog: { title: "Gizmo", category: "Test", summary: "For tests" },
  spec: appSpec(
    {
      size: integer({ default: 1, description: "Goes into the ConfigMap." }),
      extra: listOf(Type.String(), { maxItems: 10, description: "Names of more ConfigMaps." }),
      waitFor: text({ default: "", description: "A ConfigMap that must exist." }),
      managedSecret: flag({ default: false, description: "Apply the Secret rather than create it." }),
      job: text({ default: "", description: "Content of a Job that runs once; empty: no Job." }),
      kept: flag({ default: false, description: "Render an object that is never deleted." }),
      port: integer({ default: 80, description: "Port of the Service; -1 is refused by the API server." }),
    },
    [],
    { storesData: true },
  ),
  needs: ({ release, spec }) => ({
    auth: generatedSecret(
      `${release}-auth`,
      { password: alphanumeric(16), key: alphanumeric(16) },
      { rotate: ["password"] },
    ),
    wanted: spec.waitFor === "" ? undefined : required(ConfigMap, spec.waitFor),
  }),
  render: ({ release, spec, needs }) => {
    const labels = spec.managedSecret && spec.size > 1 ? { labels: { sized: "yes" } } : {};
    const secret = Secret(`${release}-auth`, { ...labels, stringData: { ...needs.auth.values } });
    const key = needs.auth.values["key"] ?? "";
    return [
      spec.managedSecret ? secret : createOnly(secret),
      ConfigMap(`${release}-conf`, { data: { size: String(spec.size), key, ...(needs.wanted?.data ?? {}) } }),
      ...(spec.extra ?? []).map((name) => ConfigMap(`${release}-${name}`, { data: { name } })),
      ...(spec.kept ? [keep(ConfigMap(`${release}-kept`, { data: { kept: "yes" } }))] : []),
      Service(`${release}-svc`, { spec: { selector: { app: release }, ports: [{ name: "web", port: spec.port }] } }),
      ...(spec.job === "" ? [] : [runOnce(job(`${release}-job-${contentHash(key, spec.job)}`))]),
    ];
  },
  storage: ({ release }) => [{ group: "", kind: "PersistentVolumeClaim", labels: { gizmo: release } }],
});

function job(name: string): KubeObject {
  return Job(name, {
    spec: {
      suspend: true,
      template: { spec: { restartPolicy: "Never", containers: [{ name: "run", image: "example.com/run:1" }] } },
    },
  });
}

export const Gizmo: AnyKind = {
  group: gizmo.group,
  version: "v1alpha1",
  kind: gizmo.kind,
  plural: gizmo.plural,
  namespaced: true,
};

/** An object of the application. */
export function gizmoObject(name: string, namespace: string, spec: Readonly<Record<string, unknown>> = {}): KubeObject {
  return Object.assign(
    { apiVersion: "apps.cozystack.io/v1alpha1", kind: "Gizmo", metadata: { name, namespace } },
    { spec },
  );
}

/** Installs the CRDs of our own kinds, of third parties' as our contracts have them, and of the given applications. */
export async function installKinds(client: Client, apps: readonly App[]): Promise<void> {
  const plain: Kind<KubeObject> = CustomResourceDefinition;
  const own = new Set<unknown>(ownKinds);
  const contracts = contractKinds.map((kind) => contractCrd(kind, own.has(kind)));
  const definitions: readonly KubeObject[] = [...contracts, ...apps.map((app) => app.crd())];
  for (const definition of definitions) {
    try {
      await client.create(plain, definition);
    } catch (error) {
      if (!isApiError(error, "AlreadyExists")) throw error;
    }
  }
  await eventually("all kinds are served", async () => {
    const found = await Promise.all(
      definitions.map(({ metadata }) => client.get(CustomResourceDefinition, metadata.name)),
    );
    return found.every((one) =>
      (one?.status?.conditions ?? []).some(({ type, status }) => type === "Established" && status === "True"),
    );
  });
}
