/**
 * What a real installation has besides operators and machines, and applications refer to: storage classes, bucket classes
 * and the default disk images.
 */
import { PersistentVolumeClaim, Service } from "../contracts/core.ts";
import { VirtualMachineClusterInstancetype } from "../contracts/instancetype-kubevirt-io.ts";
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

/** Sizes of machines, of the series that applications use by default. */
const sizes = { nano: 0.5, micro: 1, small: 2, medium: 4, large: 8, xlarge: 16, "2xlarge": 32, "4xlarge": 64 } as const;

const instanceType = ([size, gigabytes]: readonly [string, number]): KubeObject =>
  VirtualMachineClusterInstancetype(`u1.${size}`, {
    spec: { cpu: { guest: Math.max(1, gigabytes / 4) }, memory: { guest: `${gigabytes * 1024}Mi` } },
  });

/** Machines ask it for names, by its address. */
const dns = Service("kube-dns", {
  namespace: "kube-system",
  spec: {
    selector: { "k8s-app": "kube-dns" },
    ports: [
      { name: "dns", port: 53, protocol: "UDP" },
      { name: "dns-tcp", port: 53, protocol: "TCP" },
    ],
  },
});

/** In the order in which they are applied. */
export const furniture: readonly KubeObject[] = [
  storageClass("replicated", true),
  storageClass("local", false),
  ...bucketClasses("tenant-root"),
  ...images.map(image),
  ...Object.entries(sizes).map(instanceType),
  dns,
];
