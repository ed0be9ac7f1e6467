/** The releases that Flux installs into the cluster. */
import { Secret } from "../../../contracts/core.ts";
import { HelmRelease } from "../../../contracts/helm-toolkit-fluxcd-io.ts";
import type { StorageClassObject } from "../../../contracts/storage-k8s-io.ts";
import type { Rendered } from "../../../sdk/manifest.ts";
import { kubeconfigKey, kubeconfigSecret } from "../names.ts";
import type { Input } from "../spec.ts";
import { type Addon, addons } from "./table.ts";

const charts = "cozystack-kubernetes-application-kubevirt-kubernetes";

/** Definitions of cert-manager have the values of cert-manager itself, by a Secret. */
const withOverride = "cert-manager-crds";

const overrideSecret = (release: string): string => `${release}-${withOverride}-values-override`;

const hasOverride = ({ spec }: Input): boolean => Object.keys(spec.addons.certManager.valuesOverride).length > 0;

function releaseOf(addon: Addon, input: Input, classes: readonly StorageClassObject[]): Rendered {
  const { release, namespace, spec } = input;
  const { suffix, namespace: target } = addon;
  const dependsOn = (addon.after?.(spec.addons) ?? []).map((one) => ({ name: `${release}-${one}`, namespace }));
  const retry = addon.isBasic ? { strategy: { name: "RetryOnFailure" as const, retryInterval: "30s" } } : {};
  const forEver = { ...retry, remediation: { retries: -1 } };
  const values = addon.values?.(input, classes);
  const from = suffix === withOverride && hasOverride(input);
  return HelmRelease(`${release}-${suffix}`, {
    labels: {
      "cozystack.io/repository": "system",
      "cozystack.io/target-cluster-name": release,
      "sharding.fluxcd.io/key": "tenants",
    },
    spec: {
      chartRef: { kind: "ExternalArtifact", name: `${charts}-${addon.chart ?? suffix}`, namespace: "cozy-system" },
      releaseName: addon.releaseName ?? suffix,
      interval: "5m",
      ...(addon.hasNoTimeout ? {} : { timeout: "10m" }),
      kubeConfig: { secretRef: { name: kubeconfigSecret(release), key: kubeconfigKey } },
      targetNamespace: target,
      storageNamespace: target,
      ...(dependsOn.length === 0 ? {} : { dependsOn }),
      install: { ...(addon.namespaceExists ? {} : { createNamespace: true }), ...forEver },
      upgrade: forEver,
      ...(values === undefined ? {} : { values }),
      ...(from
        ? { valuesFrom: [{ kind: "Secret" as const, name: overrideSecret(release), valuesKey: "values" }] }
        : {}),
    },
  });
}

export function addonReleases(input: Input, classes: readonly StorageClassObject[]): readonly Rendered[] {
  const { release, spec } = input;
  const chosen = addons.filter(({ when = () => true }) => when(spec.addons));
  const override = JSON.stringify(spec.addons.certManager.valuesOverride);
  return [
    ...chosen.map((addon) => releaseOf(addon, input, classes)),
    ...(spec.addons.certManager.enabled && hasOverride(input)
      ? [Secret(overrideSecret(release), { stringData: { values: override } })]
      : []),
  ];
}
