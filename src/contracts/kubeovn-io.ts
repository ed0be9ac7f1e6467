/**
 * Kube-OVN: the addresses it has given out.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { some, text, texts } from "./fields.ts";

/** One port's address. Named `<pod>.<namespace>`, for a virtual machine `<vm>.<namespace>`; that keeps the address over migrations. */
export const IP = defineContract({
  group: "kubeovn.io",
  version: "v1",
  kind: "IP",
  plural: "ips",
  shortNames: ["ip"],
  namespaced: false,
  schema: Type.Object({
    spec: some({
      podName: text(),
      namespace: text(),
      subnet: text(),
      attachSubnets: texts(),
      nodeName: text(),
      ipAddress: text(),
      v4IpAddress: text(),
      v6IpAddress: text(),
      attachIps: texts(),
      macAddress: text(),
      attachMacs: texts(),
      containerID: text(),
      podType: text(),
    }),
  }),
  impact: { otherwise: "inPlace" },
});

export const kubeovnContracts = [IP] as const;
