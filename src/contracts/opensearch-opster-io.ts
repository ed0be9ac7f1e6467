/**
 * The OpenSearch operator: a cluster of nodes in pools, with Dashboards.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { int32, localRef, resourceRequirements, some, text, texts, topologySpreadConstraints } from "./fields.ts";

const nodePool = Type.Object({
  component: text(),
  replicas: int32(),
  roles: texts(),
  diskSize: Type.Optional(text()),
  persistence: Type.Optional(some({ pvc: some({ accessModes: texts(), storageClass: text() }) })),
  resources: Type.Optional(resourceRequirements()),
  topologySpreadConstraints: Type.Optional(topologySpreadConstraints()),
});

const dashboards = Type.Object({
  enable: Type.Optional(Type.Boolean()),
  version: text(),
  replicas: int32(),
  tls: Type.Optional(some({ enable: Type.Boolean(), generate: Type.Boolean() })),
  resources: Type.Optional(resourceRequirements()),
});

export const OpenSearchCluster = defineContract({
  group: "opensearch.opster.io",
  version: "v1",
  kind: "OpenSearchCluster",
  plural: "opensearchclusters",
  shortNames: ["os", "opensearch"],
  namespaced: true,
  columns: [
    { name: "health", type: "string", jsonPath: ".status.health" },
    { name: "phase", type: "string", jsonPath: ".status.phase" },
  ],
  schema: Type.Object({
    spec: Type.Object({
      general: Type.Optional(
        Type.Object({
          serviceName: text(),
          version: Type.Optional(text()),
          image: Type.Optional(text()),
          httpPort: Type.Optional(int32()),
          setVMMaxMapCount: Type.Optional(Type.Boolean()),
          drainDataNodes: Type.Optional(Type.Boolean()),
        }),
      ),
      bootstrap: Type.Optional(some({ resources: resourceRequirements() })),
      security: Type.Optional(
        some({
          tls: some({
            transport: some({ generate: Type.Boolean(), perNode: Type.Boolean() }),
            http: some({ generate: Type.Boolean() }),
          }),
          config: some({ securityConfigSecret: localRef(), adminCredentialsSecret: localRef() }),
        }),
      ),
      dashboards: Type.Optional(dashboards),
      nodePools: Type.Array(nodePool),
    }),
    status: Type.Optional(
      Type.Object({
        phase: Type.Optional(text()),
        health: Type.Optional(text()),
        version: Type.Optional(text()),
        initialized: Type.Optional(Type.Boolean()),
        availableNodes: Type.Optional(int32()),
        componentsStatus: Type.Array(some({ component: text(), status: text(), description: text() })),
      }),
    ),
  }),
  impact: {
    otherwise: "rolls",
    deletion: "losesData",
    at: {
      "spec.nodePools.*.replicas": "inPlace",
      "spec.nodePools.*.diskSize": "inPlace",
      // Existing volumes stay where they are.
      "spec.nodePools.*.persistence": "none",
      "spec.bootstrap": "none",
      "spec.dashboards": "inPlace",
      "spec.general.drainDataNodes": "none",
      "spec.security.config": "inPlace",
    },
    fewer: { "spec.nodePools.*.replicas": "stay" },
  },
});

export const opensearchContracts = [OpenSearchCluster] as const;
