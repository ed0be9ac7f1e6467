/** The servers: the operator's ClickHouseInstallation. */
import { isDeepStrictEqual } from "node:util";
import { ClickHouseInstallation } from "../../contracts/clickhouse-altinity-com.ts";
import { valueAt } from "../../kube/json.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { type Resources, resources } from "../../sdk/resources.ts";
import { antiAffinity, claimTemplate, instanceLabel } from "./claims.ts";
import { configFiles } from "./config-files.ts";
import { keeperNodes, legacyKeeperNodes } from "./keeper.ts";
import { serverCluster } from "./names.ts";
import { sidecar } from "./sidecar.ts";
import type { Input } from "./spec.ts";
import { type Account, userSettings } from "./users.ts";
import { serverImage } from "./versions.ts";

const dataVolume = "data-volume-template";
const logVolume = "log-volume-template";
const podTemplate = "clickhouse-per-host";
const serviceTemplate = "svc-template";

/** The running installation, for what must not change under it. */
export const installationNeed = ({ release }: Input) => optional(ClickHouseInstallation, release);

export type Live = ReturnType<typeof ClickHouseInstallation> | undefined;

/** Whether the servers restart anyhow, because their image or their resources change. */
function restarts(live: Live, size: Resources): boolean {
  const containers = live?.spec?.templates?.podTemplates?.find(({ name }) => name === podTemplate)?.spec.containers;
  const server = containers?.find((container) => valueAt(container, "name") === "clickhouse");
  return valueAt(server, "image") !== serverImage || !isDeepStrictEqual(valueAt(server, "resources"), size);
}

/**
 * Where the servers find the Keepers. Upstream's addresses cannot be found, but other ones restart all servers of an
 * installation that was taken over: it gets them when its servers restart for another reason.
 */
function zookeeper(input: Input, live: Live, size: Resources) {
  if (!input.spec.clickhouseKeeper.enabled) return {};
  const legacy = legacyKeeperNodes(input);
  const running = live?.spec?.configuration?.zookeeper?.nodes;
  const keep = isDeepStrictEqual(running, legacy) && !restarts(live, size);
  return { zookeeper: { nodes: [...(keep ? legacy : keeperNodes(input))] } };
}

export function installation(input: Input, accounts: readonly Account[], live: Live): Rendered {
  const { release, spec, context } = input;
  const size = resources(spec, context);
  const claims = live?.spec?.templates?.volumeClaimTemplates ?? [];
  const backup = sidecar(input, dataVolume);
  return ClickHouseInstallation(release, {
    spec: {
      namespaceDomainPattern: `%s.svc.${clusterDomain(context)}`,
      defaults: {
        templates: { dataVolumeClaimTemplate: dataVolume, podTemplate, serviceTemplate },
      },
      configuration: {
        users: userSettings(accounts),
        profiles: { "readonly/readonly": "1" },
        files: configFiles(spec.logTTL, live?.spec?.configuration?.files ?? {}),
        clusters: [{ name: serverCluster, layout: { shardsCount: spec.shards, replicasCount: spec.replicas } }],
        ...zookeeper(input, live, size),
      },
      templates: {
        volumeClaimTemplates: [
          claimTemplate(dataVolume, spec.size, input, claims),
          claimTemplate(logVolume, spec.logStorageSize, input, claims),
        ],
        podTemplates: [
          {
            name: podTemplate,
            metadata: { labels: instanceLabel(release) },
            spec: {
              affinity: antiAffinity("clickhouse.altinity.com/chi", release),
              containers: [
                {
                  name: "clickhouse",
                  image: serverImage,
                  resources: size,
                  volumeMounts: [
                    { name: dataVolume, mountPath: "/var/lib/clickhouse" },
                    { name: logVolume, mountPath: "/var/log/clickhouse-server" },
                  ],
                },
                ...backup.containers,
              ],
              ...(backup.volumes === undefined ? {} : { volumes: backup.volumes }),
            },
          },
        ],
        serviceTemplates: [
          {
            name: serviceTemplate,
            generateName: "chendpoint-{chi}",
            metadata: { labels: instanceLabel(release) },
            spec: {
              ports: [
                { name: "http", port: 8123 },
                { name: "tcp", port: 9000 },
              ],
            },
          },
        ],
      },
    },
  });
}
