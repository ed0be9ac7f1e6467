/** Classes by which buckets of this object store are ordered. They are named after the namespace: tenants below use them. */
import { BucketAccessClass, BucketClass } from "../../contracts/objectstorage-k8s-io.ts";
import type { Rendered } from "../../sdk/manifest.ts";

/** Name of the driver that serves the classes of a namespace. */
export const driverName = (namespace: string): string => `${namespace}.seaweedfs.objectstorage.k8s.io`;

/** What the driver may use, in the chart and of its own. */
export const driverResources = {
  requests: { cpu: "100m", memory: "128Mi" },
  limits: { cpu: "500m", memory: "512Mi" },
} as const;

const locked = {
  objectLockEnabled: "true",
  objectLockRetentionMode: "COMPLIANCE",
  objectLockRetentionDays: "365",
} as const;

/** Of a pool; without one, of the volumes outside pools. */
export function bucketClasses(
  namespace: string,
  pool?: readonly [name: string, diskType: string],
): readonly Rendered[] {
  const name = pool === undefined ? namespace : `${namespace}-${pool[0]}`;
  const disk = pool === undefined ? {} : { disk: pool[1] };
  const driver = driverName(namespace);
  const access = { driverName: driver, authenticationType: "KEY" } as const;
  return [
    BucketClass(name, {
      driverName: driver,
      deletionPolicy: "Delete",
      ...(pool === undefined ? {} : { parameters: disk }),
    }),
    BucketClass(`${name}-lock`, {
      driverName: driver,
      deletionPolicy: "Retain",
      parameters: { ...disk, ...locked },
    }),
    BucketAccessClass(name, { ...access, parameters: { accessPolicy: "readwrite" } }),
    BucketAccessClass(`${name}-readonly`, { ...access, parameters: { accessPolicy: "readonly" } }),
  ];
}
