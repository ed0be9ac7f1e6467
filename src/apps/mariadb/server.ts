/** The servers. */
import { ConfigMap } from "../../contracts/core.ts";
import { MariaDB } from "../../contracts/k8s-mariadb-com.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { myCnf } from "./config.ts";
import type { Input } from "./spec.ts";
import { credentialsSecret, root } from "./users.ts";
import { exporterImage, images } from "./versions.ts";

/** Labels that the operator puts on pods and claims. */
export const instanceLabel = (release: string) => ({ "app.kubernetes.io/instance": release });

/** Whether the servers copy from one another. The operator refuses it for one. */
export const isReplicated = ({ replicas }: { readonly replicas: number }): boolean => replicas > 1;

/** No two servers on one node. */
function onePerNode(release: string) {
  const matchExpressions = [
    { key: "app.kubernetes.io/name", operator: "In", values: ["mariadb"] },
    { key: "app.kubernetes.io/instance", operator: "In", values: [release] },
  ];
  return {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchExpressions }, topologyKey: "kubernetes.io/hostname" },
      ],
    },
  };
}

// The operator probes the exporter over IPv4.
const metrics = {
  enabled: true,
  exporter: {
    image: exporterImage,
    args: ["--web.listen-address=0.0.0.0:9104"],
    port: 9104,
    resources: { requests: { cpu: "50m", memory: "64Mi" }, limits: { cpu: "300m", memory: "512Mi" } },
  },
  serviceMonitor: { interval: "10s", scrapeTimeout: "10s" },
};

const balanced = { type: "LoadBalancer" } as const;

export function server({ release, spec, context }: Input): readonly Rendered[] {
  const size = resources(spec, context);
  const replicated = isReplicated(spec);
  const config = { name: `${release}-my-cnf`, key: "config" };
  return [
    ConfigMap(config.name, { data: { [config.key]: myCnf(size, spec.size) } }),
    MariaDB(release, {
      spec: {
        rootPasswordSecretKeyRef: { name: credentialsSecret(release), key: root },
        image: images[spec.version],
        port: 3306,
        startupProbe: { failureThreshold: 30 },
        replicas: spec.replicas,
        replicasAllowEvenNumber: true,
        affinity: onePerNode(release),
        ...(replicated ? { replication: { enabled: true } } : {}),
        podMetadata: { labels: { "policy.cozystack.io/allow-to-apiserver": "true" } },
        metrics,
        myCnfConfigMapKeyRef: config,
        service: { metadata: { labels: instanceLabel(release) }, ...(spec.external && !replicated ? balanced : {}) },
        ...(spec.external && replicated ? { primaryService: balanced } : {}),
        storage: {
          size: spec.size,
          resizeInUseVolumes: true,
          waitForVolumeResize: true,
          ...(spec.storageClass === "" ? {} : { storageClassName: spec.storageClass }),
        },
        resources: size,
      },
    }),
  ];
}
