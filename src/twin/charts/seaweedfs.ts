/**
 * The SeaweedFS chart, with the hook that enlarges claims: masters, filers, volume servers, S3 gateways, the driver and its
 * classes. Everything is named after the chart, whatever the release is called.
 */
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { Certificate, Issuer } from "../../contracts/cert-manager-io.ts";
import { ConfigMap, PersistentVolumeClaim, Secret, Service } from "../../contracts/core.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import { BucketAccessClass, BucketClass } from "../../contracts/objectstorage-k8s-io.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { base64 } from "../../kube/secret-text.ts";
import { container, podSpec, upTo } from "../operators/parts.ts";
import { type Chart, keptByHelm, type Release, textOf } from "./chart.ts";

const chart = "seaweedfs";
const image = "chrislusf/seaweedfs:4.31";

const labelsOf = ({ name }: Release, component: string) => ({
  "app.kubernetes.io/name": chart,
  "app.kubernetes.io/instance": name,
  "app.kubernetes.io/component": component,
});

const at = ({ values }: Release, ...path: readonly string[]) => valueAt(values, chart, ...path);
const count = (value: unknown): number => (typeof value === "number" ? value : 1);

interface Servers {
  readonly component: string;
  readonly replicas: unknown;
  readonly ports: Readonly<Record<string, number>>;
  /** Claims of the servers: asked for with this size and class. */
  readonly volumes?: unknown;
}

function servers(release: Release, { component, replicas, ports, volumes }: Servers): readonly KubeObject[] {
  const name = `${chart}-${component}`;
  const labels = labelsOf(release, component);
  const storageClassName = valueAt(volumes, "storageClass");
  const claim = {
    accessModes: ["ReadWriteOnce" as const],
    resources: { requests: { storage: textOf(valueAt(volumes, "size"), "10Gi") } },
    ...(typeof storageClassName === "string" ? { storageClassName } : {}),
  };
  const set = StatefulSet(name, {
    labels,
    spec: {
      replicas: count(replicas),
      serviceName: name,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec([container(chart, image)]) },
      volumeClaimTemplates: volumes === undefined ? [] : [{ metadata: { name: "data1" }, spec: claim }],
    },
  });
  const claims = volumes === undefined ? [] : upTo(count(replicas));
  return [
    ...claims.map((index) => PersistentVolumeClaim(`data1-${name}-${index}`, { labels, spec: claim })),
    Service(name, {
      labels,
      spec: {
        clusterIP: "None",
        publishNotReadyAddresses: true,
        selector: labels,
        ports: Object.entries(ports).map(([port, number]) => ({ name: port, port: number, protocol: "TCP" })),
      },
    }),
    set,
  ];
}

function volumeServers(release: Release): readonly KubeObject[] {
  const more = at(release, "volumes");
  const groups: readonly (readonly [string, unknown])[] = [
    ...(at(release, "volume", "enabled") === false ? [] : [["volume", at(release, "volume")] as const]),
    ...(isRecord(more) ? Object.entries(more).map(([key, group]) => [`volume-${key}`, group] as const) : []),
  ];
  return groups.flatMap(([component, group]) => {
    const [volumes] = [valueAt(group, "dataDirs")].flat();
    const replicas = valueAt(group, "replicas");
    return servers(release, { component, replicas, ports: { "swfs-volume": 8080, "swfs-grpc": 18080 }, volumes });
  });
}

function deployment(release: Release, component: string, replicas: unknown): KubeObject {
  const labels = labelsOf(release, component);
  return Deployment(`${chart}-${component}`, {
    labels,
    spec: {
      replicas: count(replicas),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: podSpec([container(component, image)]) },
    },
  });
}

function s3(release: Release): readonly KubeObject[] {
  const name = `${chart}-s3`;
  const labels = labelsOf(release, "s3");
  const published = (key: string) => at(release, "s3", "ingress", key);
  const host = textOf(published("host"), "");
  const annotations = published("annotations");
  const texts = isRecord(annotations) ? Object.entries(annotations).map(([key, value]) => [key, String(value)]) : [];
  const backend = { service: { name, port: { number: 8333 } } };
  return [
    deployment(release, "s3", at(release, "s3", "replicas")),
    Service(name, { labels, spec: { selector: labels, ports: [{ name: "swfs-s3", port: 8333, protocol: "TCP" }] } }),
    Ingress(`ingress-${name}`, {
      labels,
      annotations: Object.fromEntries(texts),
      spec: {
        ingressClassName: textOf(published("className"), ""),
        rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
      },
    }),
  ];
}

function certificates(): readonly KubeObject[] {
  const selfSigned = `${chart}-issuer`;
  const ca = `${chart}-ca-cert`;
  const authority = `${chart}-ca-issuer`;
  return [
    Issuer(selfSigned, { spec: { selfSigned: {} } }),
    Certificate(ca, {
      spec: { secretName: ca, commonName: `${chart}-root-ca`, isCA: true, issuerRef: { name: selfSigned } },
    }),
    Issuer(authority, { spec: { ca: { secretName: ca } } }),
    ...["admin", "client", "filer", "master", "volume", "worker"].map((of) =>
      Certificate(`${chart}-${of}-cert`, {
        spec: { secretName: `${chart}-${of}-cert`, commonName: "SeaweedFS CA", issuerRef: { name: authority } },
      }),
    ),
  ];
}

function classes(release: Release): readonly KubeObject[] {
  const name = textOf(at(release, "cosi", "bucketClassName"), release.namespace);
  const driverName = textOf(at(release, "cosi", "driverName"), "");
  const access = { driverName, authenticationType: "KEY" } as const;
  return [
    BucketClass(name, { driverName, deletionPolicy: "Delete" }),
    BucketClass(`${name}-lock`, { driverName, deletionPolicy: "Retain" }),
    BucketAccessClass(name, { ...access, parameters: { accessPolicy: "readwrite" } }),
    BucketAccessClass(`${name}-readonly`, { ...access, parameters: { accessPolicy: "readonly" } }),
  ];
}

export const seaweedfs: Chart = (release) => [
  ...certificates(),
  ConfigMap(`${chart}-security-config`, { data: { "security.toml": "# simulated\n" } }),
  ConfigMap(`${chart}-deployed-version`, { data: { version: "3" } }),
  Secret(`${chart}-db-secret`, { annotations: keptByHelm, type: "Opaque", data: { user: base64("unused") } }),
  ...servers(release, {
    component: "master",
    replicas: at(release, "master", "replicas"),
    ports: { "swfs-master": 9333, "swfs-grpc": 19333 },
  }),
  ...servers(release, {
    component: "filer",
    replicas: at(release, "filer", "replicas"),
    ports: { "swfs-filer": 8888, "swfs-grpc": 18888 },
  }),
  ...volumeServers(release),
  ...s3(release),
  deployment(release, "objectstorage-provisioner", 1),
  ...classes(release),
];
