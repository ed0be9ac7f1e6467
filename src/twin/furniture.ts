/**
 * What a real installation has besides operators and machines, and applications refer to: storage classes, bucket classes
 * and the default disk images.
 */
import { PersistentVolumeClaim } from "../contracts/core.ts";
import { BucketAccessClass, BucketClass } from "../contracts/objectstorage-k8s-io.ts";
import { StorageClass } from "../contracts/storage-k8s-io.ts";
import type { KubeObject } from "../kube/object.ts";
import { provisioner } from "./machines/volumes.ts";

const driverName = "twin.cozystack.io";

function storageClass(name: string, isDefault: boolean): KubeObject {
  return StorageClass(name, {
    annotations: isDefault ? { "storageclass.kubernetes.io/is-default-class": "true" } : {},
    provisioner,
    reclaimPolicy: "Delete",
    volumeBindingMode: "Immediate",
    allowVolumeExpansion: true,
  });
}

/** Classes of the object storage that a tenant's SeaweedFS would publish: named after its namespace. */
function bucketClasses(namespace: string): KubeObject[] {
  return [
    BucketClass(namespace, { driverName, deletionPolicy: "Delete" }),
    BucketClass(`${namespace}-lock`, { driverName, deletionPolicy: "Retain" }),
    BucketAccessClass(namespace, { driverName, authenticationType: "KEY" }),
    BucketAccessClass(`${namespace}-readonly`, {
      driverName,
      authenticationType: "KEY",
      parameters: { accessPolicy: "readonly" },
    }),
  ];
}

/** The catalogue of disk images that ships with the platform. */
const images = [
  "ubuntu-20.04",
  "ubuntu-22.04",
  "ubuntu-24.04",
  "rocky-8",
  "rocky-9",
  "rocky-10",
  "almalinux-8",
  "almalinux-9",
  "almalinux-10",
  "debian-12",
  "debian-13",
  "centos-stream-9",
  "centos-stream-10",
  "opensuse-leap-15.6",
  "opensuse-leap-16.0",
  "alpine-3.21",
] as const;

function image(name: string): KubeObject {
  return PersistentVolumeClaim(`vm-default-images-${name}`, {
    namespace: "cozy-public",
    labels: { "app.kubernetes.io/part-of": "vm-default-images" },
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "20Gi" } },
      storageClassName: "replicated",
    },
  });
}

/** In the order in which they are applied. */
export const furniture: readonly KubeObject[] = [
  storageClass("replicated", true),
  storageClass("local", false),
  ...bucketClasses("tenant-root"),
  ...images.map(image),
];
