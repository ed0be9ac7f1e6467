/**
 * Kube-OVN: networks of their own, and the addresses it has given out.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { looseConditions, oneOf, some, text, texts } from "./fields.ts";

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

/** A router with subnets of its own. */
export const Vpc = defineContract({
  group: "kubeovn.io",
  version: "v1",
  kind: "Vpc",
  plural: "vpcs",
  shortNames: ["vpc"],
  namespaced: false,
  schema: Type.Object({
    spec: some({
      namespaces: texts(),
      enableExternal: Type.Boolean(),
      vpcPeerings: Type.Array(some({ remoteVpc: text(), localConnectIP: text() })),
      staticRoutes: Type.Array(some({ cidr: text(), nextHopIP: text() })),
    }),
    status: Type.Optional(some({ standby: Type.Boolean(), subnets: texts(), vpcPeerings: texts() })),
  }),
  // Its subnets need it to go.
  impact: { otherwise: "inPlace", deleted: "last" },
});

export const Subnet = defineContract({
  group: "kubeovn.io",
  version: "v1",
  kind: "Subnet",
  plural: "subnets",
  shortNames: ["subnet"],
  namespaced: false,
  schema: Type.Object({
    spec: some({
      vpc: text(),
      cidrBlock: text(),
      provider: text(),
      protocol: oneOf("IPv4", "IPv6", "Dual"),
      enableLb: Type.Boolean(),
      private: Type.Boolean(),
    }),
    status: Type.Optional(some({ conditions: looseConditions(), v4availableIPs: Type.Number() })),
  }),
  impact: {
    otherwise: "inPlace",
    // Machines keep the addresses that they have, and reach nobody by them.
    at: { "spec.cidrBlock": "restarts", "spec.vpc": "replaces", "spec.provider": "replaces" },
  },
});

export const kubeovnContracts = [IP, Vpc, Subnet] as const;
