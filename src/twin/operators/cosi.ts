/**
 * Plays the object storage driver: a Bucket a claim, credentials an access. A class that does not exist is waited for.
 */
import { Secret } from "../../contracts/core.ts";
import {
  Bucket,
  BucketAccess,
  BucketAccessClass,
  BucketClaim,
  BucketClass,
} from "../../contracts/objectstorage-k8s-io.ts";
import { base64 } from "../../kube/secret-text.ts";
import { type Player, player } from "../player.ts";

type Claim = ReturnType<typeof BucketClaim>;
type Access = ReturnType<typeof BucketAccess>;

const bucketName = (claim: Claim) => `bucket-${claim.metadata.uid}`;

const claim: Player<Claim> = {
  kind: BucketClaim,
  makes: [Bucket],
  reads: [BucketClass],
  finalizer: "cosi.objectstorage.k8s.io/bucketclaim-protection",
  play(object, scene) {
    const className = object.spec.bucketClassName ?? "";
    const bucketClass = scene.find(BucketClass, className);
    if (bucketClass === undefined || scene.behaviour === "refuses")
      return { children: [], status: { bucketReady: false } };
    const name = bucketName(object);
    const bucket = Bucket(name, {
      spec: {
        bucketClassName: className,
        driverName: bucketClass.driverName,
        deletionPolicy: bucketClass.deletionPolicy,
        protocols: object.spec.protocols,
        bucketClaim: {
          name: object.metadata.name,
          namespace: object.metadata.namespace ?? "",
          uid: object.metadata.uid ?? "",
        },
      },
    });
    const ready = scene.behaviour === "normal";
    return {
      children: [],
      unowned: [bucket],
      status: ready ? { bucketReady: true, bucketName: name } : { bucketReady: false },
    };
  },
  farewell(object, scene) {
    const bucket = scene.find(Bucket, bucketName(object));
    return bucket?.spec.deletionPolicy === "Retain" ? [] : [{ kind: Bucket, name: bucketName(object) }];
  },
};

const access: Player<Access> = {
  kind: BucketAccess,
  makes: [Secret],
  reads: [BucketClaim, BucketAccessClass],
  finalizer: "cosi.objectstorage.k8s.io/bucketaccess-protection",
  play(object, scene) {
    const bucketClaim = scene.find(BucketClaim, object.spec.bucketClaimName, object.metadata.namespace);
    const known = scene.find(BucketAccessClass, object.spec.bucketAccessClassName) !== undefined;
    const bucket = bucketClaim?.status?.bucketReady === true ? bucketClaim.status.bucketName : undefined;
    if (!known || bucket === undefined || scene.behaviour !== "normal")
      return { children: [], status: { accessGranted: false } };
    const info = {
      apiVersion: "objectstorage.k8s.io/v1alpha1",
      kind: "BucketInfo",
      metadata: { name: `bc-${object.metadata.uid}` },
      spec: {
        bucketName: bucket,
        authenticationType: "Key",
        protocols: ["s3"],
        secretS3: {
          endpoint: "https://s3.twin.example",
          region: "",
          accessKeyID: scene.token("access key", 20).toUpperCase(),
          accessSecretKey: scene.token("secret key", 40),
        },
      },
    };
    const secret = Secret(object.spec.credentialsSecretName, {
      type: "Opaque",
      data: { BucketInfo: base64(JSON.stringify(info)) },
    });
    return { children: [secret], status: { accessGranted: true, accountID: `twin-${object.metadata.uid}` } };
  },
};

export const cosi = [player(claim), player(access)];
