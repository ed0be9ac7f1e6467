/** From a Postgres specification to its objects. */
import { Secret, Service } from "../../contracts/core.ts";
import { TenantProjection } from "../../contracts/internal-cozystack-io.ts";
import type { RenderInput, StorageClaim } from "../../sdk/app.ts";
import { loadBalancerNodePorts } from "../../sdk/cluster.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { backups } from "./backup.ts";
import { cluster } from "./cluster.ts";
import { init, initNeed } from "./init.ts";
import { check } from "./rules.ts";
import type { Input, Spec } from "./spec.ts";
import { credentials, credentialsNeed, credentialsSecret, passwords } from "./users.ts";

export function needs(input: Input) {
  return { credentials: credentialsNeed(input), init: initNeed(input) };
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

function registry({ release, spec }: Input): readonly Rendered[] {
  if (spec.registrySecret === undefined || Object.keys(spec.registrySecret).length === 0) return [];
  const stringData = { ".dockerconfigjson": `${JSON.stringify(sorted(spec.registrySecret))}\n` };
  return [Secret(`${release}-regsecret`, { type: "kubernetes.io/dockerconfigjson", stringData })];
}

/** The value with the keys of its objects in order, so that the order of a manifest does not show. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  check(input);
  const { release, spec, needs: known } = input;
  const all = passwords(spec, known.credentials);
  return [
    cluster(input),
    authority(release),
    ...credentials(release, all),
    ...init(input, all, known.init),
    ...(spec.external ? [external(input)] : []),
    ...backups(input),
    ...registry(input),
  ];
}

/** The servers' volumes, and the passwords of the users in them. */
export function claims({ release }: Input): readonly StorageClaim[] {
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: { "cnpg.io/cluster": release } },
    { group: "", kind: "Secret", names: [credentialsSecret(release)] },
  ];
}
