/**
 * The Redis operator of Spotahome.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import {
  affinity,
  claimSpec,
  int32,
  int64,
  intOrString,
  keyRef,
  localRef,
  open,
  resourceRequirements,
  some,
  templateMetadata,
  text,
  textMap,
  texts,
  topologySpreadConstraints,
} from "./fields.ts";

const exporter = some({
  enabled: Type.Boolean(),
  image: text(),
  imagePullPolicy: text(),
  args: texts(),
  env: Type.Array(
    Type.Object({
      name: text(),
      value: Type.Optional(text()),
      valueFrom: Type.Optional(some({ secretKeyRef: keyRef() })),
    }),
  ),
  resources: resourceRequirements(),
  containerSecurityContext: open(),
});

const podFields = {
  image: text(),
  imagePullPolicy: text(),
  imagePullSecrets: Type.Array(localRef()),
  replicas: int32(),
  resources: resourceRequirements(),
  customConfig: texts(),
  command: texts(),
  exporter,
  affinity: affinity(),
  topologySpreadConstraints: topologySpreadConstraints(),
  nodeSelector: textMap(),
  podAnnotations: textMap(),
  serviceAnnotations: textMap(),
  priorityClassName: text(),
  serviceAccountName: text(),
  securityContext: open(),
  containerSecurityContext: open(),
  extraVolumes: Type.Array(open<{ readonly name: string }>()),
  extraVolumeMounts: Type.Array(open<{ readonly name: string; readonly mountPath: string }>()),
};

const storage = some({
  keepAfterDeletion: Type.Boolean(),
  persistentVolumeClaim: some({ metadata: templateMetadata(), spec: claimSpec() }),
  emptyDir: some({ medium: text(), sizeLimit: intOrString() }),
});

export const RedisFailover = defineContract({
  group: "databases.spotahome.com",
  version: "v1",
  kind: "RedisFailover",
  plural: "redisfailovers",
  shortNames: ["rf"],
  namespaced: true,
  // The operator reports nothing: health is that of the StatefulSet and the Deployment it makes.
  schema: Type.Object({
    spec: some({
      auth: some({ secretPath: text() }),
      labelWhitelist: texts(),
      bootstrapNode: some({ host: text(), port: text(), allowSentinels: Type.Boolean() }),
      redis: some({ ...podFields, port: int32(), storage, terminationGracePeriod: int64() }),
      sentinel: some(podFields),
    }),
  }),
  impact: {
    otherwise: "rolls",
    at: {
      "spec.labelWhitelist": "inPlace",
      "spec.redis.replicas": "inPlace",
      "spec.redis.customConfig": "inPlace",
      "spec.redis.serviceAnnotations": "inPlace",
      "spec.sentinel.replicas": "inPlace",
      "spec.sentinel.customConfig": "inPlace",
      "spec.sentinel.serviceAnnotations": "inPlace",
      // A StatefulSet's claim templates cannot change: existing volumes stay as they are.
      "spec.redis.storage.persistentVolumeClaim": "none",
      "spec.redis.storage.keepAfterDeletion": "inPlace",
      // From a volume to memory, or back.
      "spec.redis.storage.emptyDir": "losesData",
    },
    fewer: { "spec.redis.replicas": "stay" },
  },
});

export const redisContracts = [RedisFailover] as const;
