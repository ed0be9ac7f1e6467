/** The chart that makes masters, filers, volume servers, S3 gateways and the driver, and its values. */
import { helmRelease } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { issuerAnnotations, isWildcard } from "../../sdk/web-certificate.ts";
import { driverName, driverResources } from "./classes.ts";
import { baseGroup, ownGroups, type VolumeGroup } from "./groups.ts";
import { s3Certificate, s3Host } from "./host.ts";
import type { Input } from "./spec.ts";

const chart = "cozystack-seaweedfs-application-default-seaweedfs-system";

/** Where the copies of an object are: on other servers, or in other zones. */
function placement({ spec: { topology, replicationFactor } }: Input): string {
  const more = replicationFactor - 1;
  return topology === "MultiZone" ? `${more}00` : `00${more}`;
}

const nginx = {
  "proxy-body-size": "5g",
  "proxy-buffering": "off",
  "proxy-request-buffering": "off",
  "backend-protocol": "HTTPS",
  "proxy-read-timeout": "3600",
  "proxy-send-timeout": "3600",
  "client-body-timeout": "3600",
  "client-header-timeout": "120",
  "service-upstream": "true",
} as const;

function s3Ingress(input: Input) {
  const { release, context } = input;
  const host = s3Host(input);
  const settings = Object.entries(nginx).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value] as const);
  return {
    className: context.namespace.ingress,
    host,
    annotations: { ...Object.fromEntries(settings), ...issuerAnnotations(context) },
    tls: [{ hosts: [host], ...(isWildcard(context) ? {} : { secretName: s3Certificate(release) }) }],
  };
}

function group({ replicas, size, storageClass, diskType, resources: sized, place }: VolumeGroup) {
  const directory = { name: "data1", type: "persistentVolumeClaim", size, maxVolumes: 0 };
  return {
    replicas,
    resources: sized,
    dataDirs: [{ ...directory, ...(storageClass === "" ? {} : { storageClass }) }],
    ...(diskType === "" ? {} : { extraArgs: [`-disk=${diskType}`] }),
    ...place,
  };
}

function values(input: Input) {
  const { namespace, spec, context } = input;
  const sized = (part: "master" | "filer" | "s3") => ({
    replicas: spec[part].replicas,
    resources: resources(spec[part], context, `spec.${part}`),
  });
  const groups = ownGroups(input);
  const defaultReplicaPlacement = placement(input);
  return {
    // Names of objects of the whole cluster derive from it: exactly this, or two tenants' would be one.
    global: { serviceAccountName: `${namespace}-seaweedfs` },
    seaweedfs: {
      // The chart does not read the placement here; upstream's releases have it.
      master: { ...sized("master"), defaultReplicaPlacement },
      filer: { ...sized("filer"), defaultReplicaPlacement, s3: { domainName: s3Host(input) } },
      volume: { ...(spec.topology === "MultiZone" ? { enabled: false } : {}), ...group(baseGroup(input)) },
      ...(groups.length === 0 ? {} : { volumes: Object.fromEntries(groups.map((one) => [one.key, group(one)])) }),
      s3: { ...sized("s3"), ingress: s3Ingress(input) },
      cosi: { driverName: driverName(namespace), bucketClassName: namespace, resources: driverResources },
    },
  };
}

/** The release. The tenant's own ingress controller comes first: it decides over Ingresses when they are made. */
export function release(input: Input): Rendered {
  const { namespace, context } = input;
  const own = context.namespace.ingress === namespace;
  return helmRelease(input.release, {
    chart,
    values: values(input),
    interval: "30s",
    dependsOn: own ? [{ name: "ingress-nginx-system", namespace }] : [],
    impacts: {
      fewer: {
        "seaweedfs.volume.replicas": "stay",
        "seaweedfs.volumes.*": "stay",
        "seaweedfs.volumes.*.replicas": "stay",
      },
    },
  });
}
