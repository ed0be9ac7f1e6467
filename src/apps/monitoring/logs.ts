/** Where logs are kept. */
import { GrafanaDatasource } from "../../contracts/grafana-integreatly-org.ts";
import { VLCluster } from "../../contracts/operator-victoriametrics-com.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { autoscaler } from "./autoscaling.ts";
import { claimTemplate, managedMetadata } from "./names.ts";
import type { Input, Spec } from "./spec.ts";

type Storage = Spec["logsStorages"][number];

function cluster(input: Input, { name, retentionPeriod, storage, storageClassName }: Storage): Rendered {
  return VLCluster(name, {
    spec: {
      managedMetadata: managedMetadata(input),
      vlinsert: { replicaCount: 2, resources: {} },
      vlselect: { replicaCount: 2, resources: {} },
      vlstorage: {
        replicaCount: 2,
        resources: {},
        retentionPeriod,
        storage: claimTemplate(input, String(storage), storageClassName),
      },
    },
  });
}

function datasource(namespace: string, name: string): Rendered {
  return GrafanaDatasource(`vlogs-${name}`, {
    spec: {
      instanceSelector: { matchLabels: { dashboards: "grafana" } },
      datasource: {
        name: `vlogs-${name}`,
        type: "victoriametrics-logs-datasource",
        access: "proxy",
        url: `http://vlselect-${name}.${namespace}.svc:9471`,
      },
    },
  });
}

export function logs(input: Input): readonly Rendered[] {
  return input.spec.logsStorages.flatMap((storage) => [
    cluster(input, storage),
    datasource(input.namespace, storage.name),
    ...(["vlinsert", "vlselect", "vlstorage"] as const).map((part) => autoscaler(part, storage.name)),
  ]);
}
