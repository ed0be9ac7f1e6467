/**
 * Cilium's network policies.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { labelSelector, looseConditions, oneOf, some, text, textMap, texts } from "./fields.ts";

const group = "cilium.io";
const version = "v2";

const entity = oneOf(
  "all",
  "world",
  "cluster",
  "host",
  "init",
  "ingress",
  "unmanaged",
  "remote-node",
  "health",
  "none",
  "kube-apiserver",
);

const ports = Type.Array(
  some({
    ports: Type.Array(
      Type.Object({
        port: text(),
        endPort: Type.Optional(Type.Integer()),
        protocol: Type.Optional(oneOf("TCP", "UDP", "SCTP", "ANY")),
      }),
    ),
  }),
);

const cidrs = Type.Array(some({ cidr: text(), except: texts() }));

const rule = some({
  description: text(),
  endpointSelector: labelSelector(),
  nodeSelector: labelSelector(),
  enableDefaultDeny: some({ ingress: Type.Boolean(), egress: Type.Boolean() }),
  ingress: Type.Array(
    some({
      fromEndpoints: Type.Array(labelSelector()),
      fromEntities: Type.Array(entity),
      fromCIDR: texts(),
      fromCIDRSet: cidrs,
      toPorts: ports,
    }),
  ),
  ingressDeny: Type.Array(
    some({
      fromEndpoints: Type.Array(labelSelector()),
      fromEntities: Type.Array(entity),
      fromCIDR: texts(),
      fromCIDRSet: cidrs,
      toPorts: ports,
    }),
  ),
  egress: Type.Array(
    some({
      toEndpoints: Type.Array(labelSelector()),
      toEntities: Type.Array(entity),
      toCIDR: texts(),
      toCIDRSet: cidrs,
      toFQDNs: Type.Array(some({ matchName: text(), matchPattern: text() })),
      toServices: Type.Array(some({ k8sService: some({ serviceName: text(), namespace: text() }) })),
      toPorts: ports,
    }),
  ),
  egressDeny: Type.Array(
    some({
      toEndpoints: Type.Array(labelSelector()),
      toEntities: Type.Array(entity),
      toCIDR: texts(),
      toCIDRSet: cidrs,
      toPorts: ports,
    }),
  ),
});

const status = some({
  conditions: looseConditions(),
  derivativePolicies: Type.Record(
    Type.String(),
    some({ ok: Type.Boolean(), enforcing: Type.Boolean(), error: text(), annotations: textMap() }),
  ),
});

export const CiliumNetworkPolicy = defineContract({
  group,
  version,
  kind: "CiliumNetworkPolicy",
  plural: "ciliumnetworkpolicies",
  shortNames: ["cnp", "ciliumnp"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Optional(rule),
    specs: Type.Optional(Type.Array(rule)),
    status: Type.Optional(status),
  }),
  impact: { otherwise: "inPlace", deleted: "afterAll" },
});

export const CiliumClusterwideNetworkPolicy = defineContract({
  group,
  version,
  kind: "CiliumClusterwideNetworkPolicy",
  plural: "ciliumclusterwidenetworkpolicies",
  shortNames: ["ccnp"],
  namespaced: false,
  schema: Type.Object({
    spec: Type.Optional(rule),
    specs: Type.Optional(Type.Array(rule)),
    status: Type.Optional(status),
  }),
  impact: { otherwise: "inPlace", deleted: "afterAll" },
});

export const ciliumContracts = [CiliumNetworkPolicy, CiliumClusterwideNetworkPolicy] as const;
