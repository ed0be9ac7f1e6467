/**
 * Cluster API: sets of machines, and what becomes of machines that fall ill.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { int32, int64, intOrString, labelSelector, oneOf, some, text, textMap, texts, time } from "./fields.ts";

const group = "cluster.x-k8s.io";
const version = "v1beta1";

const reference = Type.Object({
  apiVersion: text(),
  kind: text(),
  name: text(),
  namespace: Type.Optional(text()),
});

const machineSpec = Type.Object({
  clusterName: text(),
  bootstrap: some({ configRef: reference, dataSecretName: text() }),
  infrastructureRef: reference,
  version: Type.Optional(text()),
});

const machineTemplate = Type.Object({
  metadata: Type.Optional(some({ labels: textMap(), annotations: textMap() })),
  spec: machineSpec,
});

const addresses = Type.Object({ cidrBlocks: texts() });
const fullReference = some({ apiVersion: text(), kind: text(), name: text(), namespace: text() });

export const Cluster = defineContract({
  group,
  version,
  kind: "Cluster",
  plural: "clusters",
  namespaced: true,
  shortNames: ["cl"],
  schema: Type.Object({
    spec: Type.Optional(
      some({
        clusterNetwork: some({ pods: addresses, services: addresses }),
        controlPlaneEndpoint: Type.Object({ host: text(), port: int32() }),
        controlPlaneRef: fullReference,
        infrastructureRef: fullReference,
        paused: Type.Boolean(),
      }),
    ),
    status: Type.Optional(
      some({
        observedGeneration: int64(),
        phase: oneOf("Pending", "Provisioning", "Provisioned", "Deleting", "Failed", "Unknown"),
        controlPlaneReady: Type.Boolean(),
        infrastructureReady: Type.Boolean(),
        conditions: Type.Array(
          Type.Object({
            type: text(),
            status: text(),
            lastTransitionTime: time(),
            reason: Type.Optional(text()),
            message: Type.Optional(text()),
          }),
        ),
      }),
    ),
  }),
  impact: { otherwise: "inPlace", at: { "spec.clusterNetwork": "replaces" } },
});

/** Numbers of machines, as both kinds report them. */
const counts = {
  observedGeneration: int64(),
  replicas: int32(),
  readyReplicas: int32(),
  availableReplicas: int32(),
};

export const MachineDeployment = defineContract({
  group,
  version,
  kind: "MachineDeployment",
  plural: "machinedeployments",
  namespaced: true,
  shortNames: ["md"],
  schema: Type.Object({
    spec: Type.Object({
      clusterName: text(),
      // The autoscaler's: never written here.
      replicas: Type.Optional(int32()),
      selector: labelSelector(),
      strategy: Type.Optional(
        some({
          type: oneOf("RollingUpdate", "OnDelete"),
          rollingUpdate: some({ maxSurge: intOrString(), maxUnavailable: intOrString() }),
        }),
      ),
      template: machineTemplate,
    }),
    status: Type.Optional(
      some({
        ...counts,
        updatedReplicas: int32(),
        unavailableReplicas: int32(),
        phase: oneOf("ScalingUp", "ScalingDown", "Running", "Failed", "Unknown"),
      }),
    ),
  }),
  impact: {
    otherwise: "inPlace",
    // Metadata of the template reaches machines in place; the rest makes new ones.
    at: { "spec.template.spec": "rolls", "spec.selector": "replaces", "spec.clusterName": "replaces" },
  },
});

export const MachineSet = defineContract({
  group,
  version,
  kind: "MachineSet",
  plural: "machinesets",
  namespaced: true,
  shortNames: ["ms"],
  schema: Type.Object({
    spec: Type.Object({
      clusterName: text(),
      replicas: Type.Optional(int32()),
      selector: labelSelector(),
      template: Type.Optional(machineTemplate),
    }),
    status: Type.Optional(some({ ...counts, fullyLabeledReplicas: int32() })),
  }),
  impact: { otherwise: "inPlace" },
});

export const MachineHealthCheck = defineContract({
  group,
  version,
  kind: "MachineHealthCheck",
  plural: "machinehealthchecks",
  namespaced: true,
  shortNames: ["mhc", "mhcs"],
  schema: Type.Object({
    spec: Type.Object({
      clusterName: text(),
      selector: labelSelector(),
      maxUnhealthy: Type.Optional(intOrString()),
      nodeStartupTimeout: Type.Optional(text()),
      unhealthyConditions: Type.Optional(Type.Array(Type.Object({ type: text(), status: text(), timeout: text() }))),
    }),
    status: Type.Optional(some({ currentHealthy: int32(), expectedMachines: int32(), observedGeneration: int64() })),
  }),
  impact: { otherwise: "inPlace" },
});

export const clusterContracts = [Cluster, MachineDeployment, MachineSet, MachineHealthCheck] as const;
