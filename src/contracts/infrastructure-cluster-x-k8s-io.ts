/**
 * Cluster API's provider for KubeVirt: what the machines of a tenant's cluster are made from.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { anything, oneOf, some } from "./fields.ts";

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

export const infrastructureContracts = [KubevirtMachineTemplate] as const;
