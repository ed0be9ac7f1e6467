/**
 * FoundationDB's operator: clusters and their continuous backups.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { claimSpec, int64, oneOf, open, some, text, textMap, texts } from "./fields.ts";

const group = "apps.foundationdb.org";
const version = "v1beta2";

export const redundancyModes = ["single", "double", "triple", "three_data_hall"] as const;

export const storageEngines = [
  "ssd",
  "ssd-1",
  "ssd-2",
  "memory",
  "memory-1",
  "memory-2",
  "ssd-redwood-1-experimental",
  "ssd-redwood-1",
  "ssd-rocksdb-experimental",
  "ssd-rocksdb-v1",
  "ssd-sharded-rocksdb",
  "memory-radixtree-beta",
  "custom",
] as const;

/** What processes do, beside those that every cluster of ours counts: storage, stateless and cluster_controller. */
export const otherProcessClasses = [
  "backup",
  "commit_proxy",
  "coordinator",
  "data_distributor",
  "fast_restore",
  "grv_proxy",
  "log",
  "master",
  "proxy",
  "ratekeeper",
  "resolution",
  "router",
  "storage_cache",
  "test",
  "tester",
  "transaction",
  "unset",
] as const;

const counted = ["storage", "stateless", "cluster_controller", ...otherProcessClasses] as const;

const processCounts = Type.Partial(Type.Record(Type.Enum([...counted]), Type.Integer()));

/** A pod template. Its containers are merged with the operator's own by name. */
const podTemplate = open<{
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: object;
}>();

const processSettings = some({
  customParameters: texts(),
  podTemplate,
  volumeClaimTemplate: some({ spec: claimSpec() }),
});

const databaseConfiguration = {
  redundancy_mode: oneOf(...redundancyModes),
  storage_engine: oneOf(...storageEngines),
};

const probes = some({ enableLivenessProbe: Type.Boolean(), enableReadinessProbe: Type.Boolean() });
const generations = some({ reconciled: int64() });

export const FoundationDBCluster = defineContract({
  group,
  version,
  kind: "FoundationDBCluster",
  plural: "foundationdbclusters",
  shortNames: ["fdb"],
  namespaced: true,
  columns: [
    { name: "Reconciled", type: "integer", jsonPath: ".status.generations.reconciled" },
    { name: "Available", type: "boolean", jsonPath: ".status.health.available" },
  ],
  schema: Type.Object({
    spec: Type.Object({
      version: text(),
      databaseConfiguration: Type.Optional(some(databaseConfiguration)),
      processCounts: Type.Optional(processCounts),
      automationOptions: Type.Optional(some({ replacements: some({ enabled: Type.Boolean() }) })),
      faultDomain: Type.Optional(some({ key: text(), valueFrom: text() })),
      imageType: Type.Optional(oneOf("split", "unified")),
      labels: Type.Optional(
        some({
          filterOnOwnerReference: Type.Boolean(),
          matchLabels: textMap(),
          processClassLabels: texts(),
          processGroupIDLabels: texts(),
        }),
      ),
      minimumUptimeSecondsForBounce: Type.Optional(Type.Integer()),
      processes: Type.Optional(Type.Record(text(), processSettings)),
      routing: Type.Optional(some({ dnsDomain: text(), defineDNSLocalityFields: Type.Boolean() })),
      sidecarContainer: Type.Optional(probes),
    }),
    status: Type.Optional(
      some({
        configured: Type.Boolean(),
        connectionString: text(),
        runningVersion: text(),
        desiredProcessGroups: Type.Integer(),
        reconciledProcessGroups: Type.Integer(),
        generations,
        health: some({ available: Type.Boolean(), fullReplication: Type.Boolean(), healthy: Type.Boolean() }),
        databaseConfiguration: some({
          ...databaseConfiguration,
          logs: Type.Integer(),
          proxies: Type.Integer(),
          resolvers: Type.Integer(),
          usable_regions: Type.Integer(),
        }),
      }),
    ),
  }),
  impact: {
    otherwise: "rolls",
    deletion: "losesData",
    at: {
      "spec.version": "restarts",
      "spec.databaseConfiguration": "inPlace",
      "spec.processCounts": "inPlace",
      "spec.processes.*.customParameters": "restarts",
      // Existing volumes stay where they are.
      "spec.processes.*.volumeClaimTemplate.spec.storageClassName": "none",
      "spec.automationOptions": "none",
      "spec.minimumUptimeSecondsForBounce": "none",
    },
    fewer: { "spec.processCounts": "go" },
  },
});

/** A continuous backup, taken by agents beside the cluster. */
export const FoundationDBBackup = defineContract({
  group,
  version,
  kind: "FoundationDBBackup",
  plural: "foundationdbbackups",
  shortNames: ["fdbbackup"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      version: text(),
      clusterName: text(),
      backupState: Type.Optional(oneOf("Running", "Stopped", "Paused")),
      snapshotPeriodSeconds: Type.Optional(Type.Integer()),
      customParameters: Type.Optional(texts()),
      podTemplateSpec: Type.Optional(podTemplate),
      blobStoreConfiguration: Type.Optional(
        Type.Object({
          accountName: text(),
          bucket: Type.Optional(text()),
          urlParameters: Type.Optional(texts()),
        }),
      ),
    }),
    status: Type.Optional(
      some({
        generations,
        agentCount: Type.Integer(),
        deploymentConfigured: Type.Boolean(),
        backupDetails: some({ running: Type.Boolean(), restorable: Type.Boolean(), url: text() }),
      }),
    ),
  }),
  // What has been written stays in the bucket.
  impact: { otherwise: "inPlace" },
});

export const foundationdbContracts = [FoundationDBCluster, FoundationDBBackup] as const;
