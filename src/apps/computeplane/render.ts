/** From a ComputePlane's specification to the release of the chart that makes its cluster. */
import { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import { refuse } from "../../sdk/errors.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { checkModuleName } from "../../sdk/module-name.ts";
import { groupDefaults, type Input, ingressRole, noIngress, type Spec } from "./spec.ts";

/** Others find the cluster by names that derive from this one: the Secret with its kubeconfig, the Service of its ingress. */
const cluster = "computeplane-cluster";

const chart = "cozystack-computeplane-application-kubevirt-kubernetes";

/** Refuses groups of which none can take in requests: without them the addons below never become ready. */
function checkIngress(groups: Spec["nodeGroups"]): void {
  const all = Object.values(groups);
  const takesIn = all.some(
    ({ roles = [], maxReplicas = groupDefaults.maxReplicas }) => roles.includes(ingressRole) && maxReplicas >= 1,
  );
  if (all.length === 0 || takesIn) return;
  refuse({
    code: "InvalidValue",
    field: "spec.nodeGroups",
    message: noIngress,
    remedy: `Give a group the role ${ingressRole}.`,
  });
}

/** What the platform needs of the cluster to run something in it. */
const addons = {
  certManager: { enabled: true },
  ingressNginx: { enabled: true, exposeMethod: "Proxied" },
};

export function render({ name, spec }: Input): readonly Rendered[] {
  checkModuleName(name, "computeplane");
  checkIngress(spec.nodeGroups);
  const groups = Object.entries(spec.nodeGroups).map(([group, given]) => [group, { ...groupDefaults, ...given }]);
  // Its control plane needs nodes to become ready, and they need it: nothing may wait.
  const forEver = { disableWait: true, remediation: { retries: -1 } };
  return [
    HelmRelease(cluster, {
      labels: { "sharding.fluxcd.io/key": "tenants", "internal.cozystack.io/computeplane": "true" },
      spec: {
        chartRef: { kind: "ExternalArtifact", name: chart, namespace: "cozy-system" },
        interval: "5m",
        timeout: "30m",
        install: forEver,
        upgrade: forEver,
        valuesFrom: [{ kind: "Secret", name: "cozystack-values" }],
        values: { addons, ...(groups.length === 0 ? {} : { nodeGroups: Object.fromEntries(groups) }) },
      },
    }),
  ];
}
