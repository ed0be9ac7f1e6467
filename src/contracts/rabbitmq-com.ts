/**
 * RabbitMQ's operators: the one that runs clusters, and the one for what is in them.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import {
  int32,
  int64,
  intOrString,
  localRef,
  looseConditions,
  oneOf,
  resourceRequirements,
  some,
  templateMetadata,
  text,
  textMap,
  texts,
} from "./fields.ts";

const group = "rabbitmq.com";
const version = "v1beta1";

const podTemplate = some({
  metadata: templateMetadata(),
  spec: Type.Object({
    containers: Type.Array(Type.Object({ name: text() })),
    enableServiceLinks: Type.Optional(Type.Boolean()),
  }),
});

export const RabbitmqCluster = defineContract({
  group,
  version,
  kind: "RabbitmqCluster",
  plural: "rabbitmqclusters",
  shortNames: ["rmq"],
  namespaced: true,
  schema: Type.Object({
    spec: some({
      replicas: int32(),
      image: text(),
      resources: resourceRequirements(),
      service: some({ type: oneOf("ClusterIP", "LoadBalancer", "NodePort"), annotations: textMap() }),
      persistence: some({ storage: intOrString(), storageClassName: text() }),
      override: some({ statefulSet: some({ spec: some({ template: podTemplate }) }) }),
    }),
    status: Type.Optional(
      Type.Object({
        conditions: looseConditions(),
        observedGeneration: Type.Optional(int64()),
        binding: Type.Optional(some({ name: text() })),
        defaultUser: Type.Optional(
          some({
            secretReference: Type.Object({ name: text(), namespace: text(), keys: textMap() }),
            serviceReference: Type.Object({ name: text(), namespace: text() }),
          }),
        ),
      }),
    ),
  }),
  impact: {
    otherwise: "rolls",
    deletion: "losesData",
    at: {
      "spec.replicas": "inPlace",
      "spec.service": "inPlace",
      "spec.persistence.storage": "inPlace",
      // Existing volumes stay where they are.
      "spec.persistence.storageClassName": "none",
    },
  },
});

const clusterRef = some({ name: text(), namespace: text(), connectionSecret: localRef() });

const reported = { conditions: looseConditions(), observedGeneration: int64() };

export const User = defineContract({
  group,
  version,
  kind: "User",
  plural: "users",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      rabbitmqClusterReference: clusterRef,
      tags: Type.Optional(Type.Array(oneOf("management", "policymaker", "monitoring", "administrator"))),
      importCredentialsSecret: Type.Optional(localRef()),
    }),
    status: Type.Optional(
      Type.Object({
        username: text(),
        credentials: Type.Optional(some({ name: text() })),
        conditions: Type.Optional(reported.conditions),
        observedGeneration: Type.Optional(reported.observedGeneration),
      }),
    ),
  }),
  impact: { otherwise: "inPlace", deleted: "last" },
});

/** A virtual host. Queues and messages go with it. */
export const Vhost = defineContract({
  group,
  version,
  kind: "Vhost",
  plural: "vhosts",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      name: text(),
      rabbitmqClusterReference: clusterRef,
      tracing: Type.Optional(Type.Boolean()),
      tags: Type.Optional(texts()),
      defaultQueueType: Type.Optional(oneOf("quorum", "classic", "stream")),
    }),
    status: Type.Optional(some(reported)),
  }),
  impact: { otherwise: "inPlace", deletion: "losesData", deleted: "last", at: { "spec.name": "losesData" } },
});

/** What a user may do in a virtual host: regular expressions over names of exchanges and queues. */
export const Permission = defineContract({
  group,
  version,
  kind: "Permission",
  plural: "permissions",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      vhost: text(),
      user: Type.Optional(text()),
      permissions: some({ configure: text(), read: text(), write: text() }),
      rabbitmqClusterReference: clusterRef,
    }),
    status: Type.Optional(some(reported)),
  }),
  impact: { otherwise: "inPlace", deleted: "last" },
});

export const rabbitmqContracts = [RabbitmqCluster, User, Vhost, Permission] as const;
