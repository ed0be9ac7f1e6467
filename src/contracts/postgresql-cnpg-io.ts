/**
 * CloudNativePG: PostgreSQL clusters and their scheduled backups.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import {
  affinity,
  claimSpec,
  conditions,
  int32,
  keyRef,
  localRef,
  oneOf,
  resourceRequirements,
  some,
  templateMetadata,
  text,
  textMap,
  texts,
  time,
  topologySpreadConstraints,
} from "./fields.ts";
import type { ImpactRule } from "./impact.ts";

const group = "postgresql.cnpg.io";

const plugin = Type.Object({
  name: text(),
  enabled: Type.Optional(Type.Boolean()),
  isWALArchiver: Type.Optional(Type.Boolean()),
  parameters: Type.Optional(textMap()),
});

const storage = some({
  size: text(),
  storageClass: text(),
  resizeInUseVolumes: Type.Boolean(),
  pvcTemplate: claimSpec(),
});

const bootstrap = some({
  initdb: some({
    database: text(),
    owner: text(),
    secret: localRef(),
    encoding: text(),
    localeCollate: text(),
    localeCType: text(),
    dataChecksums: Type.Boolean(),
    postInitSQL: texts(),
    postInitApplicationSQL: texts(),
    postInitTemplateSQL: texts(),
  }),
  recovery: some({
    source: text(),
    database: text(),
    owner: text(),
    secret: localRef(),
    backup: localRef(),
    recoveryTarget: some({
      backupID: text(),
      targetTime: text(),
      targetLSN: text(),
      targetName: text(),
      targetXID: text(),
      targetTLI: text(),
      targetImmediate: Type.Boolean(),
      exclusive: Type.Boolean(),
    }),
  }),
});

const externalCluster = Type.Object({
  name: text(),
  plugin: Type.Optional(plugin),
  connectionParameters: Type.Optional(textMap()),
  password: Type.Optional(keyRef()),
});

const clusterSpec = Type.Object({
  instances: Type.Integer({ minimum: 1 }),
  imageName: Type.Optional(text()),
  description: Type.Optional(text()),
  imagePullSecrets: Type.Optional(Type.Array(localRef())),
  enableSuperuserAccess: Type.Optional(Type.Boolean()),
  superuserSecret: Type.Optional(localRef()),
  enablePDB: Type.Optional(Type.Boolean()),
  minSyncReplicas: Type.Optional(Type.Integer({ minimum: 0 })),
  maxSyncReplicas: Type.Optional(Type.Integer({ minimum: 0 })),
  primaryUpdateStrategy: Type.Optional(oneOf("unsupervised", "supervised")),
  primaryUpdateMethod: Type.Optional(oneOf("switchover", "restart")),
  logLevel: Type.Optional(oneOf("error", "warning", "info", "debug", "trace")),
  postgresql: Type.Optional(
    some({ parameters: textMap(), pg_hba: texts(), pg_ident: texts(), shared_preload_libraries: texts() }),
  ),
  bootstrap: Type.Optional(bootstrap),
  externalClusters: Type.Optional(Type.Array(externalCluster)),
  plugins: Type.Optional(Type.Array(plugin)),
  certificates: Type.Optional(
    some({
      serverAltDNSNames: texts(),
      serverCASecret: text(),
      serverTLSSecret: text(),
      clientCASecret: text(),
      replicationTLSSecret: text(),
    }),
  ),
  storage: Type.Optional(storage),
  walStorage: Type.Optional(storage),
  resources: Type.Optional(resourceRequirements()),
  affinity: Type.Optional(
    some({
      enablePodAntiAffinity: Type.Boolean(),
      topologyKey: text(),
      podAntiAffinityType: text(),
      nodeSelector: textMap(),
      nodeAffinity: affinity(),
    }),
  ),
  topologySpreadConstraints: Type.Optional(topologySpreadConstraints()),
  priorityClassName: Type.Optional(text()),
  inheritedMetadata: Type.Optional(some({ labels: textMap(), annotations: textMap() })),
  serviceAccountTemplate: Type.Optional(Type.Object({ metadata: some({ labels: textMap(), annotations: textMap() }) })),
  monitoring: Type.Optional(some({ enablePodMonitor: Type.Boolean(), disableDefaultQueries: Type.Boolean() })),
  managed: Type.Optional(
    some({
      services: some({
        disabledDefaultServices: Type.Array(oneOf("rw", "r", "ro")),
        additional: Type.Array(
          Type.Object({
            selectorType: oneOf("rw", "r", "ro"),
            serviceTemplate: some({ metadata: templateMetadata() }),
          }),
        ),
      }),
    }),
  ),
});

const clusterStatus = some({
  phase: text(),
  phaseReason: text(),
  instances: Type.Integer(),
  readyInstances: Type.Integer(),
  instanceNames: texts(),
  currentPrimary: text(),
  targetPrimary: text(),
  currentPrimaryTimestamp: text(),
  readService: text(),
  writeService: text(),
  image: text(),
  pvcCount: int32(),
  healthyPVC: texts(),
  danglingPVC: texts(),
  resizingPVC: texts(),
  latestGeneratedNode: Type.Integer(),
  timelineID: Type.Integer(),
  firstRecoverabilityPoint: text(),
  lastSuccessfulBackup: text(),
  lastFailedBackup: text(),
  certificates: some({
    clientCASecret: text(),
    serverCASecret: text(),
    serverTLSSecret: text(),
    expirations: textMap(),
  }),
  conditions: conditions(),
});

/** Parameters that PostgreSQL reads at start only. The operator reloads for all others. */
const restartParameters = [
  "autovacuum_freeze_max_age",
  "autovacuum_max_workers",
  "huge_pages",
  "max_connections",
  "max_files_per_process",
  "max_locks_per_transaction",
  "max_logical_replication_workers",
  "max_pred_locks_per_transaction",
  "max_prepared_transactions",
  "max_replication_slots",
  "max_wal_senders",
  "max_worker_processes",
  "shared_buffers",
  "superuser_reserved_connections",
  "track_activity_query_size",
  "track_commit_timestamp",
  "wal_buffers",
  "wal_level",
  "wal_log_hints",
] as const;

const parameterImpact: Readonly<Record<string, ImpactRule>> = Object.fromEntries(
  restartParameters.map((name) => [`spec.postgresql.parameters.${name}`, "restarts"]),
);

export const Cluster = defineContract({
  group,
  version: "v1",
  kind: "Cluster",
  plural: "clusters",
  namespaced: true,
  schema: Type.Object({ spec: clusterSpec, status: Type.Optional(clusterStatus) }),
  impact: {
    otherwise: "inPlace",
    at: {
      ...parameterImpact,
      "spec.postgresql.shared_preload_libraries": "restarts",
      "spec.imageName": "rolls",
      "spec.resources": "rolls",
      "spec.affinity": "rolls",
      "spec.topologySpreadConstraints": "rolls",
      "spec.priorityClassName": "rolls",
      "spec.plugins": "rolls",
      "spec.logLevel": "rolls",
      "spec.walStorage": "rolls",
      "spec.walStorage.size": "inPlace",
      // Read only while the cluster is being made.
      "spec.bootstrap": "none",
      "spec.externalClusters": "none",
      // Only instances that are made later get it.
      "spec.storage.storageClass": "none",
    },
    fewer: { "spec.instances": "go" },
  },
});

export const ScheduledBackup = defineContract({
  group,
  version: "v1",
  kind: "ScheduledBackup",
  plural: "scheduledbackups",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      cluster: localRef(),
      /** Six fields, seconds first. */
      schedule: text(),
      method: Type.Optional(oneOf("barmanObjectStore", "volumeSnapshot", "plugin")),
      pluginConfiguration: Type.Optional(Type.Object({ name: text(), parameters: Type.Optional(textMap()) })),
      backupOwnerReference: Type.Optional(oneOf("none", "self", "cluster")),
      immediate: Type.Optional(Type.Boolean()),
      suspend: Type.Optional(Type.Boolean()),
      target: Type.Optional(oneOf("primary", "prefer-standby")),
    }),
    status: Type.Optional(some({ lastCheckTime: time(), lastScheduleTime: time(), nextScheduleTime: time() })),
  }),
  impact: { otherwise: "inPlace" },
});

/** One backup, made by a ScheduledBackup or by hand. We only read it. */
export const Backup = defineContract({
  group,
  version: "v1",
  kind: "Backup",
  plural: "backups",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      cluster: localRef(),
      method: Type.Optional(oneOf("barmanObjectStore", "volumeSnapshot", "plugin")),
      pluginConfiguration: Type.Optional(Type.Object({ name: text(), parameters: Type.Optional(textMap()) })),
      target: Type.Optional(oneOf("primary", "prefer-standby")),
    }),
    status: Type.Optional(
      some({ phase: text(), error: text(), backupId: text(), startedAt: time(), stoppedAt: time() }),
    ),
  }),
  impact: { otherwise: "none" },
});

export const postgresqlContracts = [Cluster, ScheduledBackup, Backup] as const;
