/**
 * Cluster API's provider for KubeVirt: what the machines of a tenant's cluster are made from.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { anything, int32, oneOf, some, text } from "./fields.ts";

export const KubevirtMachineTemplate = defineContract({
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1alpha1",
  kind: "KubevirtMachineTemplate",
  plural: "kubevirtmachinetemplates",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      template: Type.Object({
        spec: some({
          virtualMachineBootstrapCheck: some({ checkStrategy: oneOf("none", "ssh") }),
          virtualMachineTemplate: Type.Object({ metadata: anything(), spec: anything() }),
        }),
      }),
    }),
  }),
  // Read when a machine is made: another template is another object.
  impact: { otherwise: "replaces" },
});

/** The cluster as the provider sees it. Kamaji fills in where it is reached. */
export const KubevirtCluster = defineContract({
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1alpha1",
  kind: "KubevirtCluster",
  plural: "kubevirtclusters",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Optional(some({ controlPlaneEndpoint: Type.Object({ host: text(), port: int32() }) })),
    status: Type.Optional(Type.Object({ ready: Type.Boolean() })),
  }),
  impact: { otherwise: "inPlace" },
});

/** A machine that exists. An annotation names the template that it is a copy of. */
export const KubevirtMachine = defineContract({
  group: "infrastructure.cluster.x-k8s.io",
  version: "v1alpha1",
  kind: "KubevirtMachine",
  plural: "kubevirtmachines",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Optional(some({ providerID: text() })),
    status: Type.Optional(Type.Object({ ready: Type.Boolean() })),
  }),
  impact: { otherwise: "inPlace" },
});

export const infrastructureContracts = [KubevirtMachineTemplate, KubevirtCluster, KubevirtMachine] as const;
