/**
 * MariaDB's operator: servers, and the databases, users and grants in them.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import {
  affinity,
  conditions,
  int32,
  intOrString,
  keyRef,
  oneOf,
  resourceRequirements,
  some,
  text,
  textMap,
  texts,
} from "./fields.ts";

const group = "k8s.mariadb.com";
const version = "v1alpha1";

const metadata = some({ labels: textMap(), annotations: textMap() });

const service = some({
  type: oneOf("ClusterIP", "NodePort", "LoadBalancer"),
  metadata,
  externalTrafficPolicy: text(),
  allocateLoadBalancerNodePorts: Type.Boolean(),
});

const exporter = some({ image: text(), args: texts(), port: int32(), resources: resourceRequirements() });

export const MariaDB = defineContract({
  group,
  version,
  kind: "MariaDB",
  plural: "mariadbs",
  shortNames: ["mdb"],
  namespaced: true,
  schema: Type.Object({
    spec: some({
      rootPasswordSecretKeyRef: keyRef(),
      image: text(),
      port: int32(),
      startupProbe: some({ failureThreshold: int32() }),
      replicas: int32(),
      replicasAllowEvenNumber: Type.Boolean(),
      replication: some({ enabled: Type.Boolean() }),
      affinity: affinity(),
      podMetadata: metadata,
      metrics: some({
        enabled: Type.Boolean(),
        exporter,
        serviceMonitor: some({ interval: text(), scrapeTimeout: text() }),
      }),
      myCnfConfigMapKeyRef: keyRef(),
      service,
      primaryService: service,
      secondaryService: service,
      storage: some({
        size: intOrString(),
        storageClassName: text(),
        resizeInUseVolumes: Type.Boolean(),
        waitForVolumeResize: Type.Boolean(),
      }),
      resources: resourceRequirements(),
    }),
    status: Type.Optional(
      some({
        replicas: int32(),
        currentPrimary: text(),
        currentPrimaryPodIndex: Type.Integer(),
        conditions: conditions(),
      }),
    ),
  }),
  impact: {
    otherwise: "rolls",
    deletion: "losesData",
    at: {
      // Read only while the servers are made.
      "spec.rootPasswordSecretKeyRef": "none",
      "spec.replicas": "inPlace",
      "spec.replicasAllowEvenNumber": "none",
      "spec.metrics": "inPlace",
      "spec.service": "inPlace",
      "spec.primaryService": "inPlace",
      "spec.secondaryService": "inPlace",
      "spec.storage": "inPlace",
      // Existing volumes stay where they are.
      "spec.storage.storageClassName": "none",
    },
    fewer: { "spec.replicas": "stay" },
  },
});

const mariaDbRef = some({ name: text(), namespace: text() });
const cleanupPolicy = oneOf("Skip", "Delete");
const status = some({ conditions: conditions() });

/** A database. Its tables go with it. */
export const Database = defineContract({
  group,
  version,
  kind: "Database",
  plural: "databases",
  shortNames: ["dmdb"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      name: Type.Optional(text()),
      mariaDbRef,
      characterSet: Type.Optional(text()),
      collate: Type.Optional(text()),
      cleanupPolicy: Type.Optional(cleanupPolicy),
    }),
    status: Type.Optional(status),
  }),
  impact: { otherwise: "inPlace", deletion: "losesData", deleted: "last", at: { "spec.name": "losesData" } },
});

export const User = defineContract({
  group,
  version,
  kind: "User",
  plural: "users",
  shortNames: ["umdb"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      name: Type.Optional(text()),
      mariaDbRef,
      passwordSecretKeyRef: Type.Optional(keyRef()),
      maxUserConnections: Type.Optional(int32()),
      cleanupPolicy: Type.Optional(cleanupPolicy),
    }),
    status: Type.Optional(status),
  }),
  impact: { otherwise: "inPlace", deleted: "last" },
});

export const Grant = defineContract({
  group,
  version,
  kind: "Grant",
  plural: "grants",
  shortNames: ["gmdb"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      mariaDbRef,
      privileges: texts(),
      database: Type.Optional(text()),
      table: Type.Optional(text()),
      username: text(),
      grantOption: Type.Optional(Type.Boolean()),
      cleanupPolicy: Type.Optional(cleanupPolicy),
    }),
    status: Type.Optional(status),
  }),
  impact: { otherwise: "inPlace", deleted: "last" },
});

export const mariadbContracts = [MariaDB, Database, User, Grant] as const;
