/**
 * COSI, object storage by claims.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { some, text, textMap, texts } from "./fields.ts";

const group = "objectstorage.k8s.io";
const version = "v1alpha1";

export const BucketClaim = defineContract({
  group,
  version,
  kind: "BucketClaim",
  plural: "bucketclaims",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      protocols: texts(),
      bucketClassName: Type.Optional(text()),
      existingBucketName: Type.Optional(text()),
    }),
    status: Type.Optional(Type.Object({ bucketReady: Type.Boolean(), bucketName: Type.Optional(text()) })),
  }),
  // The driver reads a claim once, when it makes the bucket.
  impact: { otherwise: "none" },
});

export const BucketAccess = defineContract({
  group,
  version,
  kind: "BucketAccess",
  plural: "bucketaccesses",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      bucketClaimName: text(),
      bucketAccessClassName: text(),
      credentialsSecretName: text(),
      protocol: Type.Optional(text()),
      serviceAccountName: Type.Optional(text()),
    }),
    status: Type.Optional(some({ accessGranted: Type.Boolean(), accountID: text() })),
  }),
  // The driver reads it once, when it makes the credentials.
  impact: { otherwise: "none" },
});

export const Bucket = defineContract({
  group,
  version,
  kind: "Bucket",
  plural: "buckets",
  namespaced: false,
  schema: Type.Object({
    spec: Type.Object({
      bucketClassName: text(),
      driverName: text(),
      protocols: texts(),
      bucketClaim: some({
        apiVersion: text(),
        kind: text(),
        name: text(),
        namespace: text(),
        uid: text(),
      }),
      deletionPolicy: Type.Optional(text()),
      existingBucketID: Type.Optional(text()),
      parameters: Type.Optional(textMap()),
    }),
    status: Type.Optional(some({ bucketID: text(), bucketReady: Type.Boolean() })),
  }),
  impact: { otherwise: "none", at: { "spec.deletionPolicy": "inPlace" } },
});

export const BucketClass = defineContract({
  group,
  version,
  kind: "BucketClass",
  plural: "bucketclasses",
  namespaced: false,
  schema: Type.Object({
    driverName: text(),
    /** `Delete` or `Retain`: what becomes of the bucket when its claim goes. */
    deletionPolicy: text(),
    parameters: Type.Optional(textMap()),
  }),
  // Classes are read when a bucket is made.
  impact: { otherwise: "none" },
});

export const BucketAccessClass = defineContract({
  group,
  version,
  kind: "BucketAccessClass",
  plural: "bucketaccessclasses",
  namespaced: false,
  schema: Type.Object({
    driverName: text(),
    authenticationType: text(),
    parameters: Type.Optional(textMap()),
  }),
  impact: { otherwise: "none" },
});

export const objectstorageContracts = [BucketClaim, BucketAccess, Bucket, BucketClass, BucketAccessClass] as const;
