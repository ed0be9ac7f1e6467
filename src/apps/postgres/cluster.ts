/** The operator's Cluster: the servers themselves. */
import { Cluster } from "../../contracts/postgresql-cnpg-io.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { topologySpread } from "../../sdk/scheduling.ts";
import { externalHost, tlsEnabled } from "../../sdk/tls.ts";
import { archiveWired, barmanPlugin, recoveryStore } from "./backup.ts";
import type { Input, Spec } from "./spec.ts";
import { images } from "./versions.ts";

/** Labels of the servers' pods, by which the monitor finds them. */
export const podLabels = (release: string) => ({
  "app.kubernetes.io/name": "postgres.apps.cozystack.io",
  "app.kubernetes.io/instance": release,
});

/** The name that clients outside use goes into the certificate; the wire is encrypted in any case. */
function certificates({ release, spec, context }: Input) {
  if (!spec.external || !tlsEnabled(spec)) return {};
  return { certificates: { serverAltDNSNames: [externalHost(release, context)] } };
}

function parameters(spec: Spec): Readonly<Record<string, string>> {
  const all = Object.entries({ max_wal_senders: "30", ...spec.postgresql.parameters });
  return Object.fromEntries(all.map(([name, value]) => [name, String(value)]));
}

function recovery({ release, spec }: Input) {
  const { enabled, oldName, serverName, recoveryTime } = spec.bootstrap;
  if (!enabled) return {};
  return {
    bootstrap: {
      recovery: { source: oldName, ...(recoveryTime === "" ? {} : { recoveryTarget: { targetTime: recoveryTime } }) },
    },
    externalClusters: [
      {
        name: oldName,
        plugin: {
          name: barmanPlugin,
          // Never this cluster's own name: the plugin would look for a backup that does not exist yet.
          parameters: {
            barmanObjectName: recoveryStore(release),
            serverName: serverName === "" ? oldName : serverName,
          },
        },
      },
    ],
  };
}

export function cluster(input: Input): Rendered {
  const { release, spec, context } = input;
  const spread = topologySpread(context, { matchLabels: { "cnpg.io/cluster": release } });
  return Cluster(release, {
    spec: {
      instances: spec.replicas,
      imageName: images[spec.version],
      // The init Job works as the superuser.
      enableSuperuserAccess: true,
      ...certificates(input),
      ...(archiveWired(spec)
        ? {
            plugins: [
              {
                name: barmanPlugin,
                isWALArchiver: true,
                parameters: { barmanObjectName: release, serverName: release },
              },
            ],
          }
        : {}),
      ...recovery(input),
      resources: resources(spec, context),
      ...(spread === undefined ? {} : { topologySpreadConstraints: [...spread] }),
      postgresql: { parameters: parameters(spec) },
      minSyncReplicas: spec.quorum.minSyncReplicas,
      maxSyncReplicas: spec.quorum.maxSyncReplicas,
      monitoring: { enablePodMonitor: true },
      storage: {
        size: String(spec.size),
        ...(spec.storageClass === "" ? {} : { storageClass: spec.storageClass }),
      },
      inheritedMetadata: { labels: { ...podLabels(release), "policy.cozystack.io/allow-to-apiserver": "true" } },
    },
  });
}
