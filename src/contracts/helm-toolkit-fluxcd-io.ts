/**
 * Flux: Helm releases, by which third-party software and tenants' cluster add-ons are installed.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { anything, conditions, int64, localRef, oneOf, some, text, textMap } from "./fields.ts";

const strategy = Type.Object({
  name: oneOf("RemediateOnFailure", "RetryOnFailure"),
  retryInterval: Type.Optional(text()),
});
const remediation = some({
  retries: Type.Integer(),
  ignoreTestFailures: Type.Boolean(),
  remediateLastFailure: Type.Boolean(),
});
const crds = oneOf("Skip", "Create", "CreateReplace");

export const HelmRelease = defineContract({
  group: "helm.toolkit.fluxcd.io",
  version: "v2",
  kind: "HelmRelease",
  plural: "helmreleases",
  shortNames: ["hr"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      interval: text(),
      timeout: Type.Optional(text()),
      suspend: Type.Optional(Type.Boolean()),
      releaseName: Type.Optional(text()),
      targetNamespace: Type.Optional(text()),
      storageNamespace: Type.Optional(text()),
      maxHistory: Type.Optional(Type.Integer()),
      serviceAccountName: Type.Optional(text()),
      chartRef: Type.Optional(
        Type.Object({
          kind: oneOf("OCIRepository", "HelmChart", "ExternalArtifact"),
          name: text(),
          namespace: Type.Optional(text()),
        }),
      ),
      dependsOn: Type.Optional(
        Type.Array(Type.Object({ name: text(), namespace: Type.Optional(text()), readyExpr: Type.Optional(text()) })),
      ),
      healthCheckExprs: Type.Optional(
        Type.Array(
          Type.Object({
            apiVersion: text(),
            kind: text(),
            current: text(),
            failed: Type.Optional(text()),
            inProgress: Type.Optional(text()),
          }),
        ),
      ),
      waitStrategy: Type.Optional(Type.Object({ name: oneOf("poller", "legacy") })),
      install: Type.Optional(
        some({
          createNamespace: Type.Boolean(),
          disableWait: Type.Boolean(),
          crds,
          remediation,
          strategy,
          timeout: text(),
        }),
      ),
      upgrade: Type.Optional(
        some({ disableWait: Type.Boolean(), force: Type.Boolean(), crds, remediation, strategy, timeout: text() }),
      ),
      kubeConfig: Type.Optional(
        some({ secretRef: Type.Object({ name: text(), key: Type.Optional(text()) }), configMapRef: localRef() }),
      ),
      commonMetadata: Type.Optional(some({ labels: textMap(), annotations: textMap() })),
      /** null removes a default of the chart. */
      values: Type.Optional(anything()),
      valuesFrom: Type.Optional(
        Type.Array(
          Type.Object({
            kind: oneOf("Secret", "ConfigMap"),
            name: text(),
            valuesKey: Type.Optional(text()),
            targetPath: Type.Optional(text()),
            optional: Type.Optional(Type.Boolean()),
          }),
        ),
      ),
    }),
    status: Type.Optional(
      some({
        observedGeneration: int64(),
        conditions: conditions(),
        failures: int64(),
        installFailures: int64(),
        upgradeFailures: int64(),
        lastAttemptedRevision: text(),
        lastAttemptedGeneration: int64(),
        lastHandledReconcileAt: text(),
        storageNamespace: text(),
      }),
    ),
  }),
  impact: {
    otherwise: "inPlace",
    at: {
      // What the chart makes of them is not known here: at worst, other pods.
      "spec.values": "rolls",
      "spec.valuesFrom": "rolls",
      "spec.chartRef": "rolls",
      // Another release: the old one is uninstalled.
      "spec.releaseName": "replaces",
      "spec.targetNamespace": "replaces",
      "spec.storageNamespace": "replaces",
    },
  },
});

export const fluxContracts = [HelmRelease] as const;
