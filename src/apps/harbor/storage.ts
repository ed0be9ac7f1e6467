/** Where Harbor keeps things: a bucket for images, PostgreSQL, Redis. */
import { Secret } from "../../contracts/core.ts";
import { RedisFailover } from "../../contracts/databases-spotahome-com.ts";
import { BucketAccess, BucketAccessClass, BucketClaim, BucketClass } from "../../contracts/objectstorage-k8s-io.ts";
import { credentialsOf, type ShownAs, shownCredentials } from "../../sdk/bucket-info.ts";
import { keep, manifestOf, type Rendered } from "../../sdk/manifest.ts";
import { optional, required } from "../../sdk/needs.ts";
import { hasStorage } from "../../sdk/object-storage.ts";
import { databaseNeed, serviceDatabase } from "../../sdk/service-database.ts";
import { bucketName, databaseName, driverSecret, redisName, registrySecret } from "./names.ts";
import type { Input } from "./spec.ts";
import { exporterImage, redisImage } from "./versions.ts";

/** The classes are waited for by name; upstream leaves a claim that nobody answers. */
export function storageNeeds(input: Input) {
  const { release, context } = input;
  const name = context.namespace.seaweedfs;
  const known = hasStorage(input);
  return {
    bucketClass: known ? required(BucketClass, name) : undefined,
    accessClass: known ? required(BucketAccessClass, name) : undefined,
    bucketKeys: optional(Secret, driverSecret(release)),
    bucketShown: optional(Secret, registrySecret(release)),
    database: databaseNeed(databaseName(release)),
  };
}

/** What is not to go with the application stays. */
function lasting({ spec }: Input, rendered: Rendered): Rendered {
  return spec.reclaimPolicy === "Retain" ? keep(manifestOf(rendered).object) : rendered;
}

const region = "us-east-1";

const shownAs: ShownAs = {
  accessKey: "REGISTRY_STORAGE_S3_ACCESSKEY",
  secretKey: "REGISTRY_STORAGE_S3_SECRETKEY",
  address: "REGISTRY_STORAGE_S3_REGIONENDPOINT",
  bucketName: "REGISTRY_STORAGE_S3_BUCKET",
};

/** `driver`: the Secret that the storage's driver writes; `shown`: what was made of it. */
export function bucket(input: Input, driver: Secret | undefined, shown: Secret | undefined): readonly Rendered[] {
  const { release, context } = input;
  const name = bucketName(release);
  const keys = credentialsOf(driver) ?? shownCredentials(shown, shownAs);
  const claim = BucketClaim(name, { spec: { bucketClassName: context.namespace.seaweedfs, protocols: ["s3"] } });
  return [
    lasting(input, claim),
    BucketAccess(name, {
      spec: {
        bucketAccessClassName: context.namespace.seaweedfs,
        bucketClaimName: name,
        credentialsSecretName: driverSecret(release),
        protocol: "s3",
      },
    }),
    // The registry reads them as its environment: the bucket's name at its backend is known only now.
    ...(keys === undefined
      ? []
      : [
          Secret(registrySecret(release), {
            stringData: {
              REGISTRY_STORAGE_S3_ACCESSKEY: keys.accessKey,
              REGISTRY_STORAGE_S3_SECRETKEY: keys.secretKey,
              REGISTRY_STORAGE_S3_REGIONENDPOINT: keys.url,
              REGISTRY_STORAGE_S3_BUCKET: keys.bucketName,
              REGISTRY_STORAGE_S3_REGION: region,
            },
          }),
        ]),
  ];
}

/** Where the chart finds the bucket. */
export const bucketValues = (release: string) => ({
  type: "s3",
  s3: { existingSecret: registrySecret(release), region, bucket: bucketName(release), secure: false, v4auth: true },
});

export function database(input: Input, live: Parameters<typeof serviceDatabase>[2]): Rendered {
  const { release, spec, context } = input;
  const locale = "en_US.UTF-8";
  const cluster = serviceDatabase(
    databaseName(release),
    {
      instances: spec.database.replicas,
      size: String(spec.database.size),
      storageClass: spec.storageClass,
      initdb: { database: "app", owner: "app", encoding: "UTF8", localeCollate: locale, localeCType: locale },
    },
    live,
    context,
  );
  return lasting(input, cluster);
}

const amounts = (cpu: string, memory: string) => ({ cpu, memory });

/** Labels that the operator puts on servers and their claims. */
export const redisLabels = (release: string) => ({
  "app.kubernetes.io/component": "redis",
  "app.kubernetes.io/name": redisName(release),
  "app.kubernetes.io/part-of": "redis-failover",
});

export function redis({ release, spec }: Input, password: string): readonly Rendered[] {
  const name = redisName(release);
  const auth = `${name}-auth`;
  const sentinel = amounts("250m", "128Mi");
  return [
    Secret(auth, { stringData: { password } }),
    RedisFailover(name, {
      labels: {
        "app.kubernetes.io/instance": name,
        "app.kubernetes.io/managed-by": "Helm",
        // Without its group's label the operator does not see the object.
        "redis-failover.freshworks.com/operator-group": "cozystack",
      },
      spec: {
        // Equal, so that sentinels are the last to be evicted.
        sentinel: { image: redisImage, replicas: 3, resources: { requests: sentinel, limits: sentinel } },
        redis: {
          image: redisImage,
          replicas: spec.redis.replicas,
          resources: { limits: amounts("1", "1024Mi"), requests: amounts("100m", "256Mi") },
          storage: {
            // Otherwise the operator makes the volumes go with the RedisFailover.
            ...(spec.reclaimPolicy === "Retain" ? { keepAfterDeletion: true } : {}),
            persistentVolumeClaim: {
              metadata: { name: "redisfailover-persistent-data" },
              spec: {
                accessModes: ["ReadWriteOnce"],
                resources: { requests: { storage: spec.redis.size } },
                ...(spec.storageClass === "" ? {} : { storageClassName: spec.storageClass }),
              },
            },
          },
          exporter: {
            enabled: true,
            image: exporterImage,
            args: ["--web.telemetry-path", "/metrics"],
            env: [{ name: "REDIS_EXPORTER_LOG_FORMAT", value: "txt" }],
          },
          customConfig: ["tcp-keepalive 0", "loglevel notice"],
        },
        auth: { secretPath: auth },
      },
    }),
  ];
}
