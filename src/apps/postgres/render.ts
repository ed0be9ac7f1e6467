/** From a Postgres specification to its objects. */
import { Service } from "../../contracts/core.ts";
import { TenantProjection } from "../../contracts/internal-cozystack-io.ts";
import type { RenderInput, StorageClaim } from "../../sdk/app.ts";
import { loadBalancerNodePorts } from "../../sdk/cluster.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { passwordsOf } from "../../sdk/passwords.ts";
import { registrySecret } from "../../sdk/registry-secret.ts";
import { backupNeeds, backups } from "./backup.ts";
import { check } from "./check.ts";
import { cluster } from "./cluster.ts";
import { init, initNeed } from "./init.ts";
import type { Input, Spec } from "./spec.ts";
import { credentials, credentialsNeed, credentialsSecret } from "./users.ts";

export function needs(input: Input) {
  return { credentials: credentialsNeed(input), init: initNeed(input), backup: backupNeeds(input.spec) };
}

export const externalService = (release: string): string => `${release}-external-write`;

function external({ release, context }: Input): Rendered {
  return Service(externalService(release), {
    spec: {
      type: "LoadBalancer",
      externalTrafficPolicy: "Local",
      ...(loadBalancerNodePorts(context) ? {} : { allocateLoadBalancerNodePorts: false }),
      ports: [{ name: "postgres", port: 5432 }],
      selector: { "cnpg.io/cluster": release, role: "primary" },
    },
  });
}

/** The operator keeps the CA's key in the same Secret, so that the tenant is shown a copy of the certificate only. */
function authority(release: string): Rendered {
  return TenantProjection(`${release}-ca`, {
    spec: { projections: [{ type: "CACert", sourceSecretName: `${release}-ca`, sourceKey: "ca.crt" }] },
  });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  check(input);
  const { release, spec, needs: known } = input;
  const all = passwordsOf(spec.users, known.credentials);
  return [
    cluster(input),
    authority(release),
    ...credentials(release, all),
    ...init(input, all, known.init),
    ...(spec.external ? [external(input)] : []),
    ...backups(input),
    ...registrySecret(release, spec.registrySecret),
  ];
}

/** The servers' volumes, and the passwords of the users in them. */
export function claims({ release }: Input): readonly StorageClaim[] {
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: { "cnpg.io/cluster": release } },
    { group: "", kind: "Secret", names: [credentialsSecret(release)] },
  ];
}
