/** From a MongoDB specification to its objects. */
import { PerconaServerMongoDB } from "../../contracts/psmdb-percona-com.ts";
import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { credentials, restore } from "./backup.ts";
import { check } from "./check.ts";
import { cluster, externalService, routers, systemUsersSecret } from "./cluster.ts";
import { clusterLabels, shards } from "./parts.ts";
import type { Input, Spec } from "./spec.ts";
import { administratorNeeds, credentialsSecret, passwordNeeds, secrets, serverSecret, userSecrets } from "./users.ts";

export function needs(input: Input) {
  return {
    passwords: passwordNeeds(input),
    ...administratorNeeds(input),
    live: optional(PerconaServerMongoDB, input.release),
  };
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  check(input, input.needs.live);
  return [
    cluster(input),
    ...secrets(input, input.needs.passwords, input.needs),
    ...credentials(input),
    ...routers(input),
    ...restore(input),
  ];
}

export function monitors({ release, spec }: Input): readonly Monitor[] {
  return [
    {
      name: release,
      replicas: shards(spec).reduce((sum, { replicas }) => sum + replicas, 0),
      minReplicas: 1,
      selector: { ...clusterLabels(release), "app.kubernetes.io/component": "mongod" },
      preset: spec.resourcesPreset,
    },
  ];
}

export function expose({ release }: Input): Exposure {
  return {
    services: [`${release}-rs0`, `${release}-mongos`, externalService(release)],
    secrets: [credentialsSecret(release)],
    monitors: [release],
  };
}

/** Volumes, passwords, and what the operator and cert-manager made to encrypt and would leave behind. */
export function claims(input: Input): readonly StorageClaim[] {
  const { release } = input;
  const made = [
    systemUsersSecret(release),
    `internal-${release}`,
    serverSecret(release),
    `${release}-mongodb-encryption-key`,
    `${release}-ssl`,
    `${release}-ssl-internal`,
    `${release}-ca-cert`,
  ];
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: clusterLabels(release) },
    { group: "", kind: "Secret", names: [...made, ...userSecrets(input)] },
  ];
}
