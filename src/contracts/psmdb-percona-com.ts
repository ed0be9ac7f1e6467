/**
 * Percona's operator for MongoDB: servers as replica sets, sharded or not, and restores from backups.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import {
  claimSpec,
  int32,
  int64,
  intOrString,
  keyRef,
  looseConditions,
  oneOf,
  resourceRequirements,
  some,
  text,
} from "./fields.ts";

const group = "psmdb.percona.com";
const version = "v1";

const placement = {
  resources: resourceRequirements(),
  affinity: some({ antiAffinityTopologyKey: text() }),
  podDisruptionBudget: some({ maxUnavailable: intOrString() }),
};

const volume = some({ persistentVolumeClaim: claimSpec() });

const expose = Type.Object({
  enabled: Type.Boolean(),
  type: Type.Optional(text()),
  externalTrafficPolicy: Type.Optional(text()),
});

const replsetFields = Type.Partial(Type.Object({ name: text(), ...placement, volumeSpec: volume, expose }));
const replset = Type.Evaluate(Type.Intersect([Type.Object({ size: int32() }), replsetFields]));

const s3 = {
  prefix: Type.Optional(text()),
  endpointUrl: Type.Optional(text()),
  credentialsSecret: Type.Optional(text()),
  insecureSkipTLSVerify: Type.Optional(Type.Boolean()),
  forcePathStyle: Type.Optional(Type.Boolean()),
};

const backup = Type.Object({
  enabled: Type.Boolean(),
  image: text(),
  storages: Type.Optional(
    Type.Record(
      text(),
      Type.Object({
        type: oneOf("s3", "azure", "filesystem", "gcs", "minio"),
        s3: Type.Optional(Type.Object({ bucket: text(), ...s3 })),
      }),
    ),
  ),
  tasks: Type.Optional(
    Type.Array(
      Type.Object({
        name: text(),
        enabled: Type.Boolean(),
        schedule: Type.Optional(text()),
        keep: Type.Optional(Type.Integer()),
        storageName: Type.Optional(text()),
        type: Type.Optional(oneOf("logical", "physical", "incremental", "incremental-base")),
        compressionType: Type.Optional(text()),
      }),
    ),
  ),
  pitr: Type.Optional(some({ enabled: Type.Boolean() })),
});

const user = Type.Object({
  name: text(),
  db: Type.Optional(text()),
  passwordSecretRef: Type.Optional(keyRef()),
  roles: Type.Array(Type.Object({ name: text(), db: text() })),
});

export const PerconaServerMongoDB = defineContract({
  group,
  version,
  kind: "PerconaServerMongoDB",
  plural: "perconaservermongodbs",
  shortNames: ["psmdb"],
  namespaced: true,
  columns: [
    { name: "ENDPOINT", type: "string", jsonPath: ".status.host" },
    { name: "Status", type: "string", jsonPath: ".status.state" },
  ],
  schema: Type.Object({
    spec: Type.Object({
      crVersion: Type.Optional(text()),
      image: text(),
      imagePullPolicy: Type.Optional(text()),
      clusterServiceDNSSuffix: Type.Optional(text()),
      pause: Type.Optional(Type.Boolean()),
      unmanaged: Type.Optional(Type.Boolean()),
      unsafeFlags: Type.Optional(some({ replsetSize: Type.Boolean(), mongosSize: Type.Boolean() })),
      updateStrategy: Type.Optional(text()),
      upgradeOptions: Type.Optional(some({ apply: text() })),
      storageScaling: Type.Optional(some({ enableVolumeScaling: Type.Boolean() })),
      secrets: Type.Optional(some({ users: text() })),
      pmm: Type.Optional(Type.Object({ image: text(), enabled: Type.Optional(Type.Boolean()), serverHost: text() })),
      sharding: Type.Optional(
        Type.Object({
          enabled: Type.Boolean(),
          balancer: Type.Optional(some({ enabled: Type.Boolean() })),
          configsvrReplSet: Type.Optional(replset),
          mongos: Type.Optional(some({ size: int32(), ...placement, expose: some({ exposeType: text() }) })),
        }),
      ),
      replsets: Type.Optional(Type.Array(replset)),
      users: Type.Optional(Type.Array(user)),
      backup: Type.Optional(backup),
    }),
    status: Type.Optional(
      Type.Object({
        state: Type.Optional(text()),
        host: Type.Optional(text()),
        message: Type.Optional(text()),
        ready: int32(),
        size: int32(),
        observedGeneration: Type.Optional(int64()),
        conditions: Type.Optional(looseConditions()),
      }),
    ),
  }),
  impact: {
    otherwise: "rolls",
    deletion: "losesData",
    at: {
      "spec.replsets.*.size": "inPlace",
      "spec.replsets.*.expose": "inPlace",
      "spec.replsets.*.volumeSpec": "inPlace",
      // Existing volumes stay where they are.
      "spec.replsets.*.volumeSpec.persistentVolumeClaim.storageClassName": "none",
      "spec.sharding.configsvrReplSet.size": "inPlace",
      "spec.sharding.configsvrReplSet.volumeSpec": "inPlace",
      "spec.sharding.configsvrReplSet.volumeSpec.persistentVolumeClaim.storageClassName": "none",
      "spec.sharding.mongos.size": "inPlace",
      "spec.sharding.balancer": "inPlace",
      "spec.backup": "inPlace",
      // The agent beside every server comes or goes.
      "spec.backup.enabled": "rolls",
      "spec.backup.image": "rolls",
      "spec.users": "inPlace",
      "spec.storageScaling": "none",
      "spec.unsafeFlags": "none",
      "spec.updateStrategy": "none",
      "spec.upgradeOptions": "none",
    },
    fewer: {
      // A whole shard; the operator lets none go that has data.
      "spec.replsets.*": "stay",
      "spec.sharding.configsvrReplSet": "stay",
    },
  },
});

/** A restore, which runs once, when it is made. */
export const PerconaServerMongoDBRestore = defineContract({
  group,
  version,
  kind: "PerconaServerMongoDBRestore",
  plural: "perconaservermongodbrestores",
  shortNames: ["psmdb-restore"],
  namespaced: true,
  schema: Type.Object({
    spec: some({
      clusterName: text(),
      backupSource: some({
        type: text(),
        destination: text(),
        s3: Type.Object({ bucket: text(), ...s3 }),
      }),
      pitr: some({ type: oneOf("date", "latest"), date: text() }),
    }),
    status: Type.Optional(some({ state: text(), error: text() })),
  }),
  impact: { otherwise: "none", deletion: "deletes" },
});

export const psmdbContracts = [PerconaServerMongoDB, PerconaServerMongoDBRestore] as const;
