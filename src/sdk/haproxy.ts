/**
 * HAProxy in front of something else: its configuration's common parts, and the objects that run it.
 */
import { Deployment, type DeploymentObject } from "../contracts/apps.ts";
import { ConfigMap, Service } from "../contracts/core.ts";
import { loadBalancerNodePorts } from "./cluster.ts";
import type { AppContext } from "./context.ts";
import { sha256hex } from "./hash.ts";
import { keptChecksum } from "./kept-checksum.ts";
import type { Rendered } from "./manifest.ts";
import { type Need, optional } from "./needs.ts";
import type { Resources } from "./resources.ts";

/** Name of ConfigMap, Deployment and Service, and value of the pods' label `app`. */
export const haproxyName = (release: string): string => `${release}-haproxy`;

const image = "haproxy:latest";
const directory = "/usr/local/etc/haproxy";

/** Path of one of the ConfigMap's files in the container. */
export const haproxyFile = (file: string): string => `${directory}/${file}`;

/** Labels of upstream's charts, which running installations have. */
export const helmLabels = (release: string) => ({
  "app.kubernetes.io/instance": release,
  "app.kubernetes.io/managed-by": "Helm",
});

/** One section of the configuration. Lines are written as they are: whoever calls has checked what users put into them. */
export function section(head: string, lines: readonly string[]): string {
  return [head, ...lines.map((line) => `    ${line}`), ""].join("\n");
}

const timeouts = {
  "http-request": "10s",
  queue: "20s",
  connect: "5s",
  client: "5m",
  server: "5m",
  tunnel: "5m",
  "http-keep-alive": "10s",
  check: "10s",
} as const;

/** The configuration file: the defaults and these sections. */
export function haproxyConfig(sections: readonly string[]): string {
  const defaults = section("defaults", [
    "mode tcp",
    "option dontlognull",
    ...Object.entries(timeouts).map(([what, time]) => `timeout ${what} ${time}`),
  ]);
  return [defaults, ...sections].join("\n");
}

/** A line takes 64 words. */
const perLine = 32;

/** Lines of a frontend that only these sources reach; with none listed, nobody does. */
export function onlyFrom(sources: readonly string[]): readonly string[] {
  const acls = Array.from({ length: Math.ceil(sources.length / perLine) }, (_, at) =>
    ["acl whitelist src", ...sources.slice(at * perLine, (at + 1) * perLine)].join(" "),
  );
  const accept = acls.length === 0 ? [] : ["tcp-request content accept if whitelist"];
  return [...acls, ...accept, "tcp-request content reject"];
}

/**
 * The line that makes a connection look as if it had come to `port`: PROXY headers say so, and servers without a port of
 * their own are reached there. Before {@link onlyFrom}, which ends the rules for those it lets in.
 */
export const arrivesAt = (port: number): string => `tcp-request content set-dst-port int(${port})`;

interface Haproxy {
  readonly release: string;
  readonly replicas: number;
  readonly resources: Resources;
  /** Container ports by name. */
  readonly ports: Readonly<Record<string, number>>;
  /** Files in the configuration's directory. */
  readonly files: Readonly<Record<string, string>>;
  /** Labels of the pods besides `app`. */
  readonly podLabels?: Readonly<Record<string, string>>;
  /** What {@link haproxyNeed} found. */
  readonly live: DeploymentObject | undefined;
}

/** The Deployment as it runs. */
export const haproxyNeed = (release: string): Need<DeploymentObject | undefined> =>
  optional(Deployment, haproxyName(release));

/** ConfigMap and Deployment. Another text restarts the pods: HAProxy does not read its file again by itself. */
export function haproxy({
  release,
  replicas,
  resources,
  ports,
  files,
  podLabels = {},
  live,
}: Haproxy): readonly Rendered[] {
  const name = haproxyName(release);
  const labels = helmLabels(release);
  const { pods, ...checksum } = keptChecksum(sha256hex(JSON.stringify(files)), live);
  const apart = {
    labelSelector: { matchExpressions: [{ key: "app", operator: "In" as const, values: [name] }] },
    topologyKey: "kubernetes.io/hostname",
  };
  const container = {
    name: "haproxy",
    image,
    resources,
    ports: Object.entries(ports).map(([port, containerPort]) => ({ name: port, containerPort })),
    volumeMounts: [{ name: "config", mountPath: directory }],
  };
  return [
    ConfigMap(name, { labels, data: files }),
    Deployment(name, {
      labels,
      ...checksum,
      spec: {
        replicas,
        selector: { matchLabels: { app: name } },
        template: {
          metadata: {
            labels: { app: name, ...podLabels },
            annotations: pods,
          },
          spec: {
            affinity: {
              podAntiAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: apart }],
              },
            },
            containers: [container],
            volumes: [{ name: "config", configMap: { name } }],
          },
        },
      },
    }),
  ];
}

/** TCP ports of a Service, each named as the container port that it leads to. */
export function namedPorts(ports: Readonly<Record<string, number>>) {
  return Object.entries(ports).map(([name, port]) => ({ name, port, protocol: "TCP" as const, targetPort: name }));
}

interface FrontService {
  readonly release: string;
  /** Reachable from outside the cluster. */
  readonly external: boolean;
  /** Ports by name of the container port. */
  readonly ports: Readonly<Record<string, number>>;
  readonly context: Pick<AppContext, "cluster">;
}

export function haproxyService({ release, external, ports, context }: FrontService): Rendered {
  const outside = {
    type: "LoadBalancer",
    externalTrafficPolicy: "Local",
    ...(loadBalancerNodePorts(context) ? {} : { allocateLoadBalancerNodePorts: false }),
  } as const;
  const reached = external ? outside : ({ type: "ClusterIP" } as const);
  return Service(haproxyName(release), {
    labels: helmLabels(release),
    spec: { ...reached, selector: { app: haproxyName(release) }, ports: namedPorts(ports) },
  });
}
