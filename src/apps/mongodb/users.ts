/** Users of the databases, and the operator's own administrator. */

import { Secret } from "../../contracts/core.ts";
import { secretText } from "../../kube/secret-text.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { sortedNames } from "../../sdk/names.ts";
import { type GeneratedSecret, optional, type Resolved } from "../../sdk/needs.ts";
import { ownPassword, ownPasswordNeeds } from "../../sdk/passwords.ts";
import { queryEscape } from "../../sdk/url.ts";
import { entrance } from "./parts.ts";
import { onlyShard } from "./rules.ts";
import type { Input, Spec } from "./spec.ts";

/** What the tenant reads to connect as the administrator. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

const userSecret = (release: string, user: string): string => `${release}-user-${user}`;

/** The operator's Secret with the passwords that the servers have. */
export const serverSecret = (release: string): string => `internal-${release}-users`;

const administrator = "databaseAdmin";
const administratorKey = "MONGODB_DATABASE_ADMIN_PASSWORD";
const port = "27017";

export const userSecrets = ({ release, spec }: Pick<Input, "release" | "spec">): readonly string[] =>
  sortedNames(spec.users).map((user) => userSecret(release, user));

export function passwordNeeds({ release, spec }: Input) {
  return ownPasswordNeeds(spec.users, (user) => userSecret(release, user));
}

/** The operator's Secret, and what was published of it. */
export const administratorNeeds = ({ release }: Input) => ({
  server: optional(Secret, serverSecret(release)),
  shown: optional(Secret, credentialsSecret(release)),
});

type Administrator = Resolved<ReturnType<typeof administratorNeeds>>;

function rolesOf({ databases }: Spec, user: string) {
  return sortedNames(databases).flatMap((db) => {
    const { admin = [], readonly = [] } = databases[db]?.roles ?? {};
    const names = [
      ...(admin.includes(user) ? ["readWrite", "dbAdmin"] : []),
      ...(readonly.includes(user) ? ["read"] : []),
    ];
    return names.map((name) => ({ name, db }));
  });
}

/** What the operator is told about users. */
export function users({ release, spec }: Input) {
  return sortedNames(spec.users).map((name) => ({
    name,
    db: "admin",
    passwordSecretRef: { name: userSecret(release, name), key: "password" },
    roles: rolesOf(spec, name),
  }));
}

/**
 * Until the operator has made the administrator, the password is empty. While the operator's Secret is away, as after somebody
 * deleted it or the cluster, what was published stays until there is another.
 */
function administratorSecret({ release, namespace, spec, context }: Input, { server, shown }: Administrator): Rendered {
  const password = secretText(server, administratorKey) || secretText(shown, "password");
  const host = `${release}-${entrance(spec)}.${namespace}.svc.${clusterDomain(context)}`;
  const query = spec.sharding ? "" : `?replicaSet=${onlyShard}`;
  const uri = `mongodb://${administrator}:${queryEscape(password)}@${host}:${port}/admin${query}`;
  return Secret(credentialsSecret(release), {
    type: "Opaque",
    stringData: { username: administrator, password, host, port, uri: password === "" ? "" : uri },
  });
}

export function secrets(
  input: Input,
  known: Readonly<Record<string, GeneratedSecret>>,
  administrator: Administrator,
): readonly Rendered[] {
  const { release, spec } = input;
  return [
    administratorSecret(input, administrator),
    ...sortedNames(spec.users).map((user) =>
      Secret(userSecret(release, user), {
        type: "Opaque",
        stringData: { password: ownPassword(spec.users, user, known) },
      }),
    ),
  ];
}
