/**
 * Cluster API's bootstrap provider for Talos: the configuration with which machines start.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { text } from "./fields.ts";

export const TalosConfigTemplate = defineContract({
  group: "bootstrap.cluster.x-k8s.io",
  version: "v1alpha3",
  kind: "TalosConfigTemplate",
  plural: "talosconfigtemplates",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      template: Type.Object({
        spec: Type.Object({
          generateType: text(),
          talosVersion: Type.Optional(text()),
          data: Type.Optional(text()),
        }),
      }),
    }),
  }),
  statusSubresource: true,
  // Machines that exist keep the configuration they started with.
  impact: { otherwise: "none", hidden: ["spec.template.spec.data"] },
});

export const bootstrapContracts = [TalosConfigTemplate] as const;
