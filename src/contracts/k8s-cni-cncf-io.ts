/**
 * Multus: networks that pods can have besides their first one.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { some, text } from "./fields.ts";

export const NetworkAttachmentDefinition = defineContract({
  group: "k8s.cni.cncf.io",
  version: "v1",
  kind: "NetworkAttachmentDefinition",
  plural: "network-attachment-definitions",
  singular: "network-attachment-definition",
  shortNames: ["nad", "net-attach-def"],
  namespaced: true,
  /** `config`: what the network's plugin is told, as JSON. */
  schema: Type.Object({ spec: some({ config: text() }) }),
  // Read when a pod starts.
  impact: { otherwise: "none" },
});

export const cniContracts = [NetworkAttachmentDefinition] as const;
