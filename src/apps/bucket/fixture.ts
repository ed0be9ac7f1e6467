/** For the tests of this folder: the classes of an object storage, and Secrets as its driver writes them. */
import { Secret } from "../../contracts/core.ts";
import { BucketAccessClass, BucketClass } from "../../contracts/objectstorage-k8s-io.ts";
import type { KubeObject } from "../../kube/object.ts";

export const base64 = (text: string) => Buffer.from(text).toString("base64");

/** The classes of the object storage of `namespace`, pool `fast` included. */
export const classes = (namespace = "tenant-root"): readonly KubeObject[] =>
  ["", "-fast"].flatMap((pool) => [
    ...["", "-lock"].map((lock) =>
      BucketClass(`${namespace}${pool}${lock}`, { driverName: "s3", deletionPolicy: "Delete" }),
    ),
    ...["", "-readonly"].map((rights) =>
      BucketAccessClass(`${namespace}${pool}${rights}`, { driverName: "s3", authenticationType: "KEY" }),
    ),
  ]);

/** A Secret as the driver writes it. */
export const driverSecret = (user: string, info: unknown) =>
  Secret(`bucket-demo-${user}`, {
    data: { BucketInfo: base64(typeof info === "string" ? info : JSON.stringify(info)) },
  });

export const infoOf = (user: string, endpoint = "https://s3.example.org:8333") => ({
  metadata: { name: "bc-1" },
  spec: {
    bucketName: "bucket-1234",
    authenticationType: "KEY",
    secretS3: { endpoint, region: "", accessKeyID: `key-of-${user}`, accessSecretKey: `secret-of-${user}` },
    protocols: ["s3"],
  },
});
