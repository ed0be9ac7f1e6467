/** From an OpenSearch specification to its objects. */

import { Service } from "../../contracts/core.ts";
import { OpenSearchCluster } from "../../contracts/opensearch-opster-io.ts";
import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import { refuse } from "../../sdk/errors.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { serversMonitor } from "../../sdk/monitor.ts";
import { optional } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import { messages } from "./rules.ts";
import { adminSecret, configSecret, credentialsSecret, security, securityNeeds, userSecrets } from "./security.ts";
import type { Input, Spec } from "./spec.ts";
import { programs } from "./versions.ts";

/** The one pool. */
const pool = "nodes";

/** A label that the operator puts on the nodes' pods and claims. */
const clusterLabels = (release: string) => ({ "opster.io/opensearch-cluster": release });

/** The operator's Services, and ours to the same from outside. */
const dashboardsService = (release: string): string => `${release}-dashboards`;
const outside = (service: string): string => `${service}-external`;

export function needs(input: Input) {
  return { ...securityNeeds(input), live: optional(OpenSearchCluster, input.release) };
}

type Known = RenderInput<Spec, ReturnType<typeof needs>>["needs"];

/** Volumes that exist stay where they are, whatever another number of nodes would choose. */
function storageClass({ replicas, storageClass: given }: Spec, { live }: Known): string {
  const used = live?.spec.nodePools.find(({ component }) => component === pool)?.persistence?.pvc?.storageClass;
  if (given !== "") return given;
  return used ?? (replicas === 1 ? "replicated" : "local");
}

function nodeRoles({ nodeRoles: { master, data, ingest, ml } }: Spec): string[] {
  const all = { cluster_manager: master, data, ingest, ml };
  return Object.entries(all).flatMap(([role, on]) => (on ? [role] : []));
}

function spread(release: string, { topologySpreadPolicy }: Spec) {
  return ["kubernetes.io/hostname", "topology.kubernetes.io/zone"].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: topologySpreadPolicy === "hard" ? "DoNotSchedule" : "ScheduleAnyway",
    labelSelector: { matchLabels: clusterLabels(release) },
  }));
}

function cluster({ release, spec, context }: Input, known: Known): Rendered {
  const { dashboards, images, size } = spec;
  const version = programs[spec.version];
  return OpenSearchCluster(release, {
    spec: {
      general: {
        serviceName: release,
        version,
        httpPort: 9200,
        setVMMaxMapCount: true,
        drainDataNodes: true,
        ...(images.opensearch === "" ? {} : { image: images.opensearch }),
      },
      bootstrap: { resources: resources(spec, context) },
      security: {
        tls: { transport: { generate: true, perNode: true }, http: { generate: true } },
        config: {
          securityConfigSecret: { name: configSecret(release) },
          adminCredentialsSecret: { name: adminSecret(release) },
        },
      },
      ...(dashboards.enabled
        ? {
            dashboards: {
              enable: true,
              version,
              replicas: Math.max(1, dashboards.replicas),
              tls: { enable: true, generate: true },
              resources: resources(dashboards, context),
            },
          }
        : {}),
      nodePools: [
        {
          component: pool,
          replicas: spec.replicas,
          diskSize: String(size),
          persistence: { pvc: { accessModes: ["ReadWriteOnce"], storageClass: storageClass(spec, known) } },
          resources: resources(spec, context),
          roles: nodeRoles(spec),
          topologySpreadConstraints: spread(release, spec),
        },
      ],
    },
  });
}

/** A way from outside to the pods with these labels. */
function external(
  { namespace, context }: Input,
  service: string,
  port: number,
  selector: Readonly<Record<string, string>>,
): Rendered {
  const hostname = `${service}.${namespace}.${clusterDomain(context)}`;
  return Service(outside(service), {
    annotations: { "external-dns.alpha.kubernetes.io/hostname": hostname },
    spec: {
      type: "LoadBalancer",
      selector,
      ports: [{ name: "https", port, targetPort: port, protocol: "TCP" }],
    },
  });
}

function services(input: Input): readonly Rendered[] {
  const { release, spec } = input;
  if (!spec.external) return [];
  const nodes = { ...clusterLabels(release), "opster.io/opensearch-nodepool": pool };
  const dashboards = { "opensearch.cluster.dashboards": release };
  return [
    external(input, release, 9200, nodes),
    ...(spec.dashboards.enabled ? [external(input, dashboardsService(release), 5601, dashboards)] : []),
  ];
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  if (nodeRoles(input.spec).length === 0) {
    const remedy = "Switch one of master, data, ingest and ml on.";
    refuse({ code: "InvalidValue", field: "spec.nodeRoles", message: messages.roles, remedy });
  }
  return [cluster(input, input.needs), ...security(input, input.needs), ...services(input)];
}

export function monitors(input: Input): readonly Monitor[] {
  return [serversMonitor(input, clusterLabels(input.release))];
}

export function expose({ release, spec }: Input): Exposure {
  const dashboards = dashboardsService(release);
  return {
    services: [release, outside(release), ...(spec.dashboards.enabled ? [dashboards, outside(dashboards)] : [])],
    secrets: [credentialsSecret(release)],
    monitors: [release],
  };
}

/** Documents, and the passwords without which nobody gets at them: the servers keep the administrator's in their data. */
export function claims(input: Input): readonly StorageClaim[] {
  const { release } = input;
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: clusterLabels(release) },
    { group: "", kind: "Secret", names: [adminSecret(release), configSecret(release), ...userSecrets(input)] },
  ];
}
