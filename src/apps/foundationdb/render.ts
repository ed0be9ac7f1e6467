/** From a FoundationDB specification to its objects. */
import { FoundationDBCluster } from "../../contracts/apps-foundationdb-org.ts";
import { ConfigMap, ServiceAccount } from "../../contracts/core.ts";
import { Role, RoleBinding } from "../../contracts/rbac.ts";
import type { Monitor, StorageClaim } from "../../sdk/app.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { backup, backupName } from "./backup.ts";
import { classLabel, clusterLabels, commonLabels, small } from "./labels.ts";
import type { Input, Spec } from "./spec.ts";

/** Processes run under it, and may look after the pods of their namespace. */
const account = (release: string): string => `${release}-foundationdb`;

function podTemplate({ release, spec, context }: Input) {
  const { runAsUser, runAsGroup } = spec.securityContext;
  const securityContext = { runAsUser, runAsGroup };
  return {
    metadata: { labels: { "policy.cozystack.io/allow-to-apiserver": "true" } },
    spec: {
      serviceAccountName: account(release),
      securityContext: { fsGroup: runAsGroup },
      containers: [
        { name: "foundationdb", resources: resources(spec, context), securityContext },
        { name: "foundationdb-kubernetes-sidecar", resources: small, securityContext },
      ],
      initContainers: [{ name: "foundationdb-kubernetes-init", resources: small, securityContext }],
    },
  };
}

/** The counts that are set, whatever else stands beside them. */
function processCounts({ cluster }: Spec): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(cluster.processCounts).filter(([, count]) => typeof count === "number"));
}

function cluster(input: Input): Rendered {
  const { release, spec, context } = input;
  const { version, redundancyMode, storageEngine, faultDomain } = spec.cluster;
  const { size, storageClass } = spec.storage;
  return FoundationDBCluster(release, {
    labels: commonLabels(release),
    spec: {
      version,
      databaseConfiguration: { redundancy_mode: redundancyMode, storage_engine: storageEngine },
      processCounts: processCounts(spec),
      automationOptions: { replacements: { enabled: spec.automaticReplacements } },
      faultDomain: {
        key: faultDomain.key,
        ...(faultDomain.valueFrom === "" ? {} : { valueFrom: faultDomain.valueFrom }),
      },
      imageType: spec.imageType,
      labels: {
        filterOnOwnerReference: false,
        matchLabels: clusterLabels(release),
        processClassLabels: [classLabel],
        processGroupIDLabels: ["foundationdb.org/fdb-process-group-id"],
      },
      minimumUptimeSecondsForBounce: 60,
      processes: {
        general: {
          ...(spec.customParameters.length === 0 ? {} : { customParameters: spec.customParameters }),
          podTemplate: podTemplate(input),
          volumeClaimTemplate: {
            spec: {
              resources: { requests: { storage: size } },
              ...(storageClass === "" ? {} : { storageClassName: storageClass }),
            },
          },
        },
      },
      routing: { dnsDomain: clusterDomain(context), defineDNSLocalityFields: true },
      sidecarContainer: { enableLivenessProbe: true, enableReadinessProbe: true },
    },
  });
}

function access({ release, namespace }: Input): readonly Rendered[] {
  const name = account(release);
  const labels = commonLabels(release);
  const verbs = ["get", "list", "watch", "create", "update", "patch", "delete"];
  return [
    ServiceAccount(name, { labels }),
    Role(name, { labels, rules: [{ apiGroups: [""], resources: ["pods"], verbs }] }),
    RoleBinding(name, {
      labels,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    }),
  ];
}

/** What the dashboard shows of it: it has no Role for that. */
function resourceMap({ release, spec }: Input): readonly Rendered[] {
  if (!spec.monitoring.enabled) return [];
  const entry = (kind: string, name: string) =>
    `- apiVersion: apps.foundationdb.org/v1beta2\n  kind: ${kind}\n  name: ${name}\n`;
  const entries = [
    entry("FoundationDBCluster", release),
    ...(spec.backup.enabled ? [entry("FoundationDBBackup", backupName(release))] : []),
  ];
  return [
    ConfigMap(`${release}-resourcemap`, {
      labels: { ...commonLabels(release), "app.cozystack.io/type": "dashboard-resourcemap" },
      data: { resources: entries.join("") },
    }),
  ];
}

export function render(input: Input): readonly Rendered[] {
  return [...access(input), cluster(input), ...resourceMap(input), ...backup(input)];
}

/** Copies of data that may be missing while all of it is there. */
const spare = { single: 0, double: 1, triple: 2, three_data_hall: 2 } as const;

export function monitors({ release, spec }: Input): readonly Monitor[] {
  if (!spec.monitoring.enabled) return [];
  const { storage } = spec.cluster.processCounts;
  const missing = spare[spec.cluster.redundancyMode];
  return [
    {
      name: release,
      labels: commonLabels(release),
      replicas: storage,
      minReplicas: missing === 0 ? storage : Math.max(1, storage - missing),
      selector: { ...clusterLabels(release), [classLabel]: "storage" },
      preset: spec.resourcesPreset,
    },
  ];
}

export function claims({ release }: Input): readonly StorageClaim[] {
  return [{ group: "", kind: "PersistentVolumeClaim", labels: clusterLabels(release) }];
}
