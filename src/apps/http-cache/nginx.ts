/** The nginx servers: a Deployment with a volume and a Service for each. */
import { Deployment, type DeploymentObject } from "../../contracts/apps.ts";
import { ConfigMap, PersistentVolumeClaim, Service } from "../../contracts/core.ts";
import { PodDisruptionBudget } from "../../contracts/policy.ts";
import { helmLabels, namedPorts } from "../../sdk/haproxy.ts";
import { sha256hex } from "../../sdk/hash.ts";
import { type Checksum, keptChecksum } from "../../sdk/kept-checksum.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { registrySecretRef } from "../../sdk/registry-secret.ts";
import { resources } from "../../sdk/resources.ts";
import { serverNames } from "./haproxy-config.ts";
import { nginxConfig } from "./nginx-config.ts";
import type { Input } from "./spec.ts";
import { nginxImage } from "./versions.ts";

/** Label `app` of all servers, and name of what they share. */
export const nginxName = (release: string): string => `${release}-nginx-cache`;

const ports = { http: 80, cache: 8087, metrics: 10_253 } as const;

const mounts = [
  { name: "config", mountPath: "/etc/nginx/nginx.conf", subPath: "nginx.conf" },
  { name: "data", mountPath: "/data" },
  { name: "run", mountPath: "/run" },
];

const reloaderSize = { cpu: "50m", memory: "50Mi" };

/** Two servers of one node would go down together. */
function apart(app: string, instance: string) {
  return {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          labelSelector: {
            matchExpressions: [
              { key: "app", operator: "In" as const, values: [app] },
              { key: "instance", operator: "NotIn" as const, values: [instance] },
            ],
          },
          topologyKey: "kubernetes.io/hostname",
        },
      ],
    },
  };
}

function containers({ spec, context }: Input) {
  const healthz = { httpGet: { path: "/healthz", port: "metrics" } };
  return [
    {
      name: "nginx",
      image: nginxImage,
      resources: resources(spec.nginx, context, "spec.nginx"),
      ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort })),
      readinessProbe: { ...healthz, initialDelaySeconds: 5, periodSeconds: 5 },
      livenessProbe: { ...healthz, failureThreshold: 1, periodSeconds: 10 },
      volumeMounts: mounts,
    },
    {
      // Has nginx reload when somebody writes a file with that word in its name to the volume.
      name: "reloader",
      image: nginxImage,
      command: ["/usr/bin/nginx-reloader.sh"],
      resources: { limits: reloaderSize, requests: reloaderSize },
      volumeMounts: mounts,
    },
  ];
}

function server(input: Input, name: string, instance: string, checksum: Checksum): readonly Rendered[] {
  const { release, spec } = input;
  const labels = helmLabels(release);
  const pods = { app: nginxName(release), instance };
  const { pods: annotations, ...own } = checksum;
  return [
    PersistentVolumeClaim(name, {
      labels,
      spec: {
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: spec.size } },
        ...(spec.storageClass === "" ? {} : { storageClassName: spec.storageClass }),
      },
    }),
    Deployment(name, {
      labels,
      ...own,
      spec: {
        selector: { matchLabels: pods },
        template: {
          metadata: { labels: pods, annotations },
          spec: {
            imagePullSecrets: registrySecretRef(release),
            affinity: apart(pods.app, instance),
            shareProcessNamespace: true,
            containers: containers(input),
            volumes: [
              { name: "config", configMap: { name: nginxName(release) } },
              { name: "data", persistentVolumeClaim: { claimName: name } },
              { name: "run", emptyDir: {} },
            ],
          },
        },
      },
    }),
    Service(name, {
      labels: { ...labels, app: pods.app },
      spec: { type: "ClusterIP", selector: pods, ports: namedPorts({ http: ports.http, metrics: ports.metrics }) },
    }),
  ];
}

/** The Deployments as they run, by name. */
export function nginxNeeds(input: Input) {
  return Object.fromEntries(serverNames(input).map((name) => [name, optional(Deployment, name)]));
}

/** All of them, with the configuration that they share. Another one restarts them: mounted files stay as they are. */
export function nginx(input: Input, live: Readonly<Record<string, DeploymentObject | undefined>>): readonly Rendered[] {
  const { release, spec } = input;
  const name = nginxName(release);
  const labels = helmLabels(release);
  const config = nginxConfig(spec);
  return [
    ConfigMap(name, { labels, data: { "nginx.conf": config } }),
    PodDisruptionBudget(name, { labels, spec: { maxUnavailable: 1, selector: { matchLabels: { app: name } } } }),
    ...serverNames(input).flatMap((each, at) =>
      server(input, each, String(at), keptChecksum(sha256hex(config), live[each])),
    ),
  ];
}
