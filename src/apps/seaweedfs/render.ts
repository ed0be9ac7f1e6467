/** From a SeaweedFS specification to its objects. */
import { ConfigMap, PersistentVolumeClaim, Secret, Service } from "../../contracts/core.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { innerRelease } from "../../sdk/inner-release.ts";
import { keep, manifestOf, type Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { databaseNeed, serviceDatabase } from "../../sdk/service-database.ts";
import { check, deployedNeeds, topologyRecord } from "./check.ts";
import { bucketClasses } from "./classes.ts";
import { certificateNeed, client } from "./client.ts";
import { componentOf, poolDisks, volumeGroups } from "./groups.ts";
import { s3Certificate } from "./host.ts";
import { chartLabel, chartName } from "./naming.ts";
import { release as chartRelease } from "./release.ts";
import type { Input, Spec } from "./spec.ts";

/** Name of the database, whatever the release is called. */
const database = `${chartName}-db`;

export function needs(input: Input) {
  const isClient = input.spec.topology === "Client";
  return {
    ...deployedNeeds(input),
    certificate: isClient ? certificateNeed() : undefined,
    database: isClient ? undefined : databaseNeed(database),
  };
}

type Given = RenderInput<Spec, ReturnType<typeof needs>>;

/** The database that knows where objects are. Without it the volumes are worth nothing, so that it is kept where they are. */
function metadata({ spec, context, needs: known }: Given): Rendered {
  const { replicas: instances, size, storageClass } = spec.db;
  const cluster = serviceDatabase(
    database,
    { instances, size: String(size), storageClass, resources: resources(spec.db, context, "spec.db") },
    known.database,
    context,
  );
  return spec.reclaimPolicy === "Retain" ? keep(manifestOf(cluster).object) : cluster;
}

const grpcPort = 18888;

/** The filers, for other clusters. Who is on no list is let in nowhere. */
function outside({ release, spec }: Input): readonly Rendered[] {
  const { grpcHost, whitelist } = spec.filer;
  if (grpcHost === "") return [];
  const name = `${release}-filer-external`;
  return [
    Ingress(name, {
      annotations: {
        "nginx.ingress.kubernetes.io/backend-protocol": "GRPCS",
        "nginx.ingress.kubernetes.io/ssl-passthrough": "true",
        "nginx.ingress.kubernetes.io/whitelist-source-range": whitelist.join(",") || "0.0.0.0/32",
      },
      spec: {
        ingressClassName: "tenant-root",
        rules: [
          {
            host: grpcHost,
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "ImplementationSpecific",
                  backend: { service: { name, port: { number: grpcPort } } },
                },
              ],
            },
          },
        ],
      },
    }),
    Service(name, {
      spec: {
        ports: [{ name: "swfs-filer-grpc", port: grpcPort, targetPort: grpcPort, protocol: "TCP" }],
        selector: { "app.kubernetes.io/component": "filer", "app.kubernetes.io/name": release },
      },
    }),
  ];
}

export function render(input: Given): readonly Rendered[] {
  const { release, namespace, spec, needs: known } = input;
  check(input, known);
  const record = ConfigMap(topologyRecord(release), { data: { topology: spec.topology } });
  if (spec.topology === "Client") return [record, ...client(input)];
  return [
    record,
    metadata(input),
    chartRelease(input),
    ...poolDisks(spec).flatMap((pool) => bucketClasses(namespace, pool)),
    ...outside(input),
  ];
}

export function monitors(input: Input): readonly Monitor[] {
  const { release, spec } = input;
  if (spec.topology === "Client") return [];
  const { master, filer, s3, db } = spec;
  const of = (component: string, type: string, replicas: number, minReplicas = 1): Monitor => ({
    name: `${release}-${component}`,
    type,
    replicas,
    minReplicas,
    selector: { ...chartLabel, "app.kubernetes.io/component": component },
  });
  return [
    of("master", "master", master.replicas, Math.floor(master.replicas / 2) + 1),
    of("filer", "filer", filer.replicas),
    {
      name: `${release}-db`,
      type: "postgres",
      replicas: db.replicas,
      minReplicas: 1,
      selector: { "cnpg.io/cluster": database, "cnpg.io/podRole": "instance" },
    },
    of("s3", "s3", s3.replicas),
    ...volumeGroups(input).map((one) => of(componentOf(one), "volume", one.replicas)),
  ];
}

export function expose(input: Input): Exposure {
  const level = "super-admin";
  if (input.spec.topology === "Client") return { level };
  const s3 = `${input.release}-s3`;
  return {
    services: [s3],
    ingresses: [`ingress-${s3}`],
    monitors: monitors(input).map(({ name }) => name),
    level,
  };
}

const authorities = ["admin", "ca", "client", "filer", "master", "volume", "worker"].map((of) => `${of}-cert`);

/** Objects and the Secrets that the chart and cert-manager leave behind, under both kinds of names. */
export function claims({ release }: Input): readonly StorageClaim[] {
  const inner = innerRelease(release);
  const named = (inner.includes(chartName) ? inner : `${inner}-${chartName}`).slice(0, 63);
  const secrets = [named, chartName].flatMap((name) => [...authorities, "db-secret"].map((of) => `${name}-${of}`));
  return [
    {
      group: PersistentVolumeClaim.group,
      kind: PersistentVolumeClaim.kind,
      labels: { ...chartLabel, "app.kubernetes.io/instance": inner },
    },
    { group: Secret.group, kind: Secret.kind, names: [s3Certificate(release), ...secrets] },
  ];
}
