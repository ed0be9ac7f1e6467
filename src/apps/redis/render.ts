/**
 * From a Redis specification to its objects: one RedisFailover, which the operator turns into servers and sentinels, and
 * the Services, the password and the scrape around it.
 */
import { Secret, Service } from "../../contracts/core.ts";
import { RedisFailover } from "../../contracts/databases-spotahome-com.ts";
import { VMServiceScrape } from "../../contracts/operator-victoriametrics-com.ts";
import type { AppInput, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { loadBalancerNodePorts } from "../../sdk/cluster.ts";
import { createOnly, type Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, generatedSecret } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import type { Spec } from "./spec.ts";
import { exporterImage, images, sentinelImage } from "./versions.ts";

type Input = AppInput<Spec>;

const sentinels = 3;

/** The Secret with the password. It goes when authentication is switched off: on again means another password. */
export const authSecret = (release: string): string => `${release}-auth`;

export function needs({ release, spec }: Input) {
  return {
    auth: spec.authEnabled ? generatedSecret(authSecret(release), { password: alphanumeric(32) }) : undefined,
  };
}

/** Labels of upstream's chart. Harmless to keep, and running installations have them. */
const labels = (release: string) => ({
  "app.kubernetes.io/instance": release,
  "app.kubernetes.io/managed-by": "Helm",
});

/** Labels that the operator puts on the servers' pods. */
const serverSelector = (release: string) => ({
  "app.kubernetes.io/component": "redis",
  "app.kubernetes.io/name": release,
  "app.kubernetes.io/part-of": "redis-failover",
});

const componentLabels = (release: string, component: string) => ({
  "app.kubernetes.io/component": component,
  "app.kubernetes.io/instance": release,
});

/** Whether data is kept on a volume: absent (null) and 0 mean that it is in memory only. */
const persistent = (size: Spec["size"]): size is string | number => size !== undefined && size !== 0;

function storage({ release, spec }: Input) {
  if (!persistent(spec.size)) return {};
  return {
    storage: {
      // Otherwise the operator makes the volumes go with the RedisFailover.
      ...(spec.reclaimPolicy === "Retain" ? { keepAfterDeletion: true } : {}),
      persistentVolumeClaim: {
        metadata: { name: "redisfailover-persistent-data", labels: componentLabels(release, "redis") },
        spec: {
          accessModes: ["ReadWriteOnce" as const],
          resources: { requests: { storage: spec.size } },
          ...(spec.storageClass === "" ? {} : { storageClassName: spec.storageClass }),
        },
      },
    },
  };
}

function customConfig(size: Spec["size"]): readonly string[] {
  const always = ["tcp-keepalive 0", "loglevel notice"];
  return persistent(size) ? always : [...always, "appendonly no", 'save ""'];
}

function failover(input: Input): Rendered {
  const { release, spec, context } = input;
  const size = resources(spec, context);
  return RedisFailover(release, {
    // Without its group's label the operator does not see the object.
    labels: { ...labels(release), "redis-failover.freshworks.com/operator-group": "cozystack" },
    spec: {
      sentinel: { image: sentinelImage, replicas: sentinels, resources: size },
      redis: {
        image: images[spec.version],
        replicas: spec.replicas,
        resources: size,
        ...storage(input),
        exporter: {
          enabled: true,
          image: exporterImage,
          args: ["--web.telemetry-path", "/metrics"],
          env: [{ name: "REDIS_EXPORTER_LOG_FORMAT", value: "txt" }],
        },
        customConfig: customConfig(spec.size),
      },
      ...(spec.authEnabled ? { auth: { secretPath: authSecret(release) } } : {}),
    },
  });
}

function externalService({ release, context }: Input): Rendered {
  return Service(`${release}-external-lb`, {
    labels: labels(release),
    spec: {
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      ...(loadBalancerNodePorts(context) ? {} : { allocateLoadBalancerNodePorts: false }),
      ports: [{ name: "redis", port: 6379, targetPort: "redis" }],
      selector: { ...serverSelector(release), "redisfailovers-role": "master" },
    },
  });
}

function metricsService(release: string): Rendered {
  return Service(`${release}-metrics`, {
    labels: { ...labels(release), app: `${release}-metrics` },
    spec: {
      ports: [{ name: "metrics", port: 9121, targetPort: "metrics" }],
      selector: serverSelector(release),
    },
  });
}

function scrape(release: string, namespace: string): Rendered {
  return VMServiceScrape(release, {
    labels: labels(release),
    spec: {
      jobLabel: "jobLabel",
      namespaceSelector: { matchNames: [namespace] },
      selector: { matchLabels: { app: `${release}-metrics` } },
      endpoints: [
        {
          port: "metrics",
          relabelConfigs: [
            { targetLabel: "job", replacement: "redis" },
            { sourceLabels: ["__meta_kubernetes_pod_node_name"], targetLabel: "node" },
            { targetLabel: "tier", replacement: "cluster" },
            { target_label: "service", replacement: release },
          ],
        },
      ],
    },
  });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, namespace, spec, needs: known } = input;
  const password = known.auth?.values["password"];
  return [
    ...(password === undefined
      ? []
      : [createOnly(Secret(authSecret(release), { data: { password: Buffer.from(password).toString("base64") } }))]),
    failover(input),
    ...(spec.external ? [externalService(input)] : []),
    metricsService(release),
    scrape(release, namespace),
  ];
}

export function monitors({ release, spec }: Input): readonly Monitor[] {
  const preset = spec.resourcesPreset;
  return [
    { name: `${release}-redis`, type: "redis", replicas: spec.replicas, minReplicas: 1, component: "redis" },
    { name: `${release}-sentinel`, type: "sentinel", replicas: sentinels, minReplicas: 2, component: "sentinel" },
  ].map(({ component, ...monitor }) => ({
    ...monitor,
    preset,
    withNamespace: true,
    selector: componentLabels(release, component),
  }));
}

/** The servers' volumes, found by the labels of the claim template, and the password that opens what is on them. */
export function claims({ release }: Input): readonly StorageClaim[] {
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: componentLabels(release, "redis") },
    { group: "", kind: "Secret", names: [authSecret(release)] },
  ];
}
