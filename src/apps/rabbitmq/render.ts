/** From a RabbitMQ specification to its objects. */

import { RabbitmqCluster } from "../../contracts/rabbitmq-com.ts";
import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { serversMonitor } from "../../sdk/monitor.ts";
import { resources } from "../../sdk/resources.ts";
import { check } from "./check.ts";
import type { Input, Spec } from "./spec.ts";
import { credentialsSecrets, passwordNeeds, topology } from "./topology.ts";
import { images } from "./versions.ts";

export function needs(input: Input) {
  return { passwords: passwordNeeds(input) };
}

/** The operator puts the cluster's name where others put the program's. */
const clusterLabels = (release: string) => ({ "app.kubernetes.io/name": release });

/** The operator's Secrets: the user it makes, and what the servers know each other by. */
const defaultUserSecret = (release: string): string => `${release}-default-user`;
const cookieSecret = (release: string): string => `${release}-erlang-cookie`;

function cluster({ release, spec, context }: Input): Rendered {
  return RabbitmqCluster(release, {
    // Labels of upstream's chart, which running installations have.
    labels: { "app.kubernetes.io/instance": release, "app.kubernetes.io/managed-by": "Helm" },
    spec: {
      replicas: spec.replicas,
      image: images[spec.version],
      ...(spec.external ? { service: { type: "LoadBalancer" } } : {}),
      resources: resources(spec, context),
      override: {
        statefulSet: {
          spec: {
            template: {
              // The servers find each other through the API server.
              metadata: { labels: { "policy.cozystack.io/allow-to-apiserver": "true" } },
              spec: { containers: [], enableServiceLinks: false },
            },
          },
        },
      },
      persistence: {
        storage: spec.size,
        ...(spec.storageClass === "" ? {} : { storageClassName: spec.storageClass }),
      },
    },
  });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  check(input.spec);
  return [cluster(input), ...topology(input, input.needs.passwords)];
}

export function monitors(input: Input): readonly Monitor[] {
  return [serversMonitor(input, clusterLabels(input.release))];
}

export function expose(input: Input): Exposure {
  const { release } = input;
  return {
    secrets: [defaultUserSecret(release), ...credentialsSecrets(input)],
    services: [release],
    monitors: [release],
    labelled: { secrets: { "apps.cozystack.io/user-secret": "true" } },
  };
}

/** The servers' volumes, and the Secrets without which nobody gets into what is on them. */
export function claims(input: Input): readonly StorageClaim[] {
  const { release } = input;
  const labels = { ...clusterLabels(release), "app.kubernetes.io/component": "rabbitmq" };
  return [
    { group: "", kind: "PersistentVolumeClaim", labels },
    {
      group: "",
      kind: "Secret",
      names: [defaultUserSecret(release), cookieSecret(release), ...credentialsSecrets(input)],
    },
  ];
}
