/**
 * The barman-cloud plugin of CloudNativePG: where backups and WAL go.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { int32, keyRef, oneOf, resourceRequirements, some, text, textMap, texts, time } from "./fields.ts";

const environment = Type.Array(
  Type.Object({
    name: text(),
    value: Type.Optional(text()),
    valueFrom: Type.Optional(some({ secretKeyRef: keyRef(), configMapKeyRef: keyRef() })),
  }),
);

const configuration = Type.Object({
  destinationPath: text(),
  endpointURL: Type.Optional(text()),
  endpointCA: Type.Optional(keyRef()),
  serverName: Type.Optional(text()),
  s3Credentials: Type.Optional(
    some({
      accessKeyId: keyRef(),
      secretAccessKey: keyRef(),
      region: keyRef(),
      sessionToken: keyRef(),
      inheritFromIAMRole: Type.Boolean(),
    }),
  ),
  data: Type.Optional(
    some({
      compression: oneOf("bzip2", "gzip", "lz4", "snappy"),
      encryption: oneOf("AES256", "aws:kms"),
      immediateCheckpoint: Type.Boolean(),
      jobs: int32(),
    }),
  ),
  wal: Type.Optional(
    some({
      compression: oneOf("bzip2", "gzip", "lz4", "snappy", "xz", "zstd"),
      encryption: oneOf("AES256", "aws:kms"),
      maxParallel: Type.Integer(),
    }),
  ),
  tags: Type.Optional(textMap()),
  historyTags: Type.Optional(textMap()),
});

export const ObjectStore = defineContract({
  group: "barmancloud.cnpg.io",
  version: "v1",
  kind: "ObjectStore",
  plural: "objectstores",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      configuration,
      retentionPolicy: Type.Optional(text()),
      instanceSidecarConfiguration: Type.Optional(
        some({
          env: environment,
          additionalContainerArgs: texts(),
          logLevel: oneOf("error", "warning", "info", "debug", "trace"),
          resources: resourceRequirements(),
          retentionPolicyIntervalSeconds: Type.Integer(),
        }),
      ),
    }),
    status: Type.Optional(
      some({
        serverRecoveryWindow: Type.Record(
          Type.String(),
          some({ firstRecoverabilityPoint: time(), lastSuccessfulBackupTime: time(), lastFailedBackupTime: time() }),
        ),
      }),
    ),
  }),
  impact: {
    otherwise: "inPlace",
    // The plugin's container is part of every instance's pod.
    at: { "spec.instanceSidecarConfiguration": "rolls" },
  },
});

export const barmancloudContracts = [ObjectStore] as const;
