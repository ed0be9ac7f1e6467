/** What a user says about a tenant's object store. */
import type { Static } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { classText, hostText } from "../../sdk/chart-texts.ts";
import {
  appSpec,
  group,
  immutable,
  integer,
  listOf,
  mapOf,
  oneOf,
  open,
  ownSizing,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { diskType, label, longestMap, nodeSelector, rules, topologies } from "./rules.ts";

const storageClass = () => immutable(storageClassName({ pattern: classText }));

const ownStorageClass = (rest: string) =>
  immutable(
    text({ maxLength: 253, pattern: classText, options: "storageclass", description: `StorageClass. Empty: ${rest}.` }),
  );

const ownVolumes = (rest: string) => ({
  replicas: integer({ minimum: 0, description: `Number of servers. Absent: ${rest}.` }),
  size: volumeSize({ description: `Volume of each server; it can grow. Absent: ${rest}.` }),
  storageClass: ownStorageClass(rest),
});

const pools = (rest: string, optional: boolean) => {
  const pool = open(
    {
      diskType: text({
        required: true,
        pattern: `^${diskType}+$`,
        maxLength: 63,
        description: "Kind of disk by which buckets find the pool, such as ssd; another one than the other volumes'.",
      }),
      ...ownVolumes(rest),
      ...ownSizing("that of `volume`"),
    },
    {},
  );
  const options = {
    maxProperties: longestMap,
    keyPattern: label,
    description: "Further volume servers by name, which buckets choose as `storagePool`.",
  };
  return optional ? mapOf(pool, { ...options, optional: true }) : mapOf(pool, options);
};

const zone = open({
  ...ownVolumes("that of `volume`"),
  dataCenter: text({
    maxLength: 63,
    pattern: "^[-a-zA-Z0-9_.]*$",
    description: "Name of the data centre to SeaweedFS. Empty: the zone's.",
  }),
  nodeSelector: text({
    maxLength: 2000,
    pattern: nodeSelector,
    description: "Labels of the zone's nodes, one `key: value` a line. Empty: topology.kubernetes.io/zone: <zone>.",
  }),
  pools: pools("that of the zone, else that of `volume`", true),
});

const servers = (of: string, count: number) => ({
  replicas: replicas({ default: count, description: `Number of ${of}.` }),
  ...sizing({ preset: "t1.small" }),
});

export const SeaweedFSSpec = appSpec(
  {
    host: text({
      default: "",
      maxLength: 253,
      pattern: hostText,
      description: "DNS name of the S3 service. Empty: s3. before the tenant's domain.",
    }),
    topology: immutable(
      oneOf(topologies, {
        default: "Simple",
        description: "Volumes anywhere, volumes by zone, or a client of another cluster's object store.",
      }),
    ),
    replicationFactor: integer({
      default: 2,
      minimum: 1,
      maximum: 10,
      description: "Copies of each object, in MultiZone each in another zone.",
    }),
    db: group(
      {
        replicas: replicas({ default: 2, minimum: 1, description: "Number of database servers." }),
        size: volumeSize({ default: "10Gi", description: "Volume of each database server; it can grow." }),
        storageClass: storageClass(),
        ...sizing({ preset: "t1.small" }),
      },
      { description: "PostgreSQL, which knows where objects are." },
    ),
    master: group(servers("masters", 3), { description: "Masters, which place volumes." }),
    filer: group(
      {
        ...servers("filers", 2),
        grpcHost: text({
          default: "",
          maxLength: 253,
          pattern: hostText,
          description:
            "DNS name under which other clusters reach the filers; in topology Client, that of the filers to use.",
        }),
        grpcPort: integer({
          default: 443,
          minimum: 1,
          maximum: 65_535,
          description: "Port of `grpcHost`, in topology Client.",
        }),
        whitelist: listOf(text({ required: true, maxLength: 43, pattern: "^[0-9a-fA-F.:]+(/[0-9]+)?$" }), {
          maxItems: 500,
          description: "Networks that may reach the filers from outside. Empty: none.",
        }),
      },
      { description: "Filers, which keep names and places of objects." },
    ),
    volume: group(
      {
        ...servers("volume servers", 2),
        size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
        storageClass: storageClass(),
        diskType: text({
          default: "",
          maxLength: 63,
          pattern: `^${diskType}*$`,
          description: "Kind of disk of the volumes outside pools.",
        }),
        zones: mapOf(zone, {
          maxProperties: longestMap,
          keyPattern: label,
          description: "Zones by name, in topology MultiZone.",
        }),
        pools: pools("that of `volume`", false),
      },
      { description: "Volume servers, which keep the objects." },
    ),
    s3: group(servers("S3 gateways", 2), { description: "S3 gateways." }),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof SeaweedFSSpec.schema>;
export type Input = AppInput<Spec>;
