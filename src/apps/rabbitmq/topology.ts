/** What is in the cluster: users with their passwords, virtual hosts, and who may do what there. */
import { Secret } from "../../contracts/core.ts";
import { Permission, User, Vhost } from "../../contracts/rabbitmq-com.ts";
import { sha256hex } from "../../sdk/hash.ts";
import { kebabCase } from "../../sdk/kebab.ts";
import { changing, type Rendered } from "../../sdk/manifest.ts";
import { sortedNames } from "../../sdk/names.ts";
import type { GeneratedSecret } from "../../sdk/needs.ts";
import { ownPassword, ownPasswordNeeds } from "../../sdk/passwords.ts";
import type { Input } from "./spec.ts";

const part = (release: string, ...names: readonly string[]): string => [release, ...names.map(kebabCase)].join("-");

const credentialsSecret = (release: string, user: string): string => `${part(release, user)}-credentials`;

/** The Secrets of all users, in the order of the users' names. */
export function credentialsSecrets({ release, spec }: Pick<Input, "release" | "spec">): readonly string[] {
  return sortedNames(spec.users).map((user) => credentialsSecret(release, user));
}

/** The passwords that their users do not set: live ones stay as they are, missing ones are generated. */
export function passwordNeeds({ release, spec }: Input) {
  return ownPasswordNeeds(spec.users, (user) => credentialsSecret(release, user));
}

function userObjects(release: string, user: string, password: string): readonly Rendered[] {
  const name = credentialsSecret(release, user);
  return [
    Secret(name, {
      labels: { "apps.cozystack.io/user-secret": "true" },
      type: "Opaque",
      stringData: { username: user, password },
    }),
    User(part(release, user), {
      // The operator does not watch the Secret: another password reaches the servers because this changes.
      annotations: { config: sha256hex(`${user} ${password}`) },
      spec: { importCredentialsSecret: { name }, rabbitmqClusterReference: { name: release } },
    }),
  ];
}

const everything = { configure: ".*", read: ".*", write: ".*" };

function permission(release: string, vhost: string, user: string, permissions: Partial<typeof everything>): Rendered {
  const object = Permission(part(release, vhost, user), {
    spec: { vhost, user, permissions, rabbitmqClusterReference: { name: release } },
  });
  // Names that differ in spelling only make objects of one name, and the operator refuses another user in one.
  return changing(object, { replaceOn: ["/spec/vhost", "/spec/user"] });
}

function vhostObjects({ release, spec }: Input, vhost: string): readonly Rendered[] {
  const roles = spec.vhosts[vhost]?.roles ?? {};
  const object = Vhost(part(release, vhost), { spec: { name: vhost, rabbitmqClusterReference: { name: release } } });
  return [
    changing(object, { replaceOn: ["/spec/name"] }),
    ...(roles.admin ?? []).map((user) => permission(release, vhost, user, everything)),
    ...(roles.readonly ?? []).map((user) => permission(release, vhost, user, { read: everything.read })),
  ];
}

export function topology(input: Input, known: Readonly<Record<string, GeneratedSecret>>): readonly Rendered[] {
  const { release, spec } = input;
  return [
    ...sortedNames(spec.users).flatMap((user) => userObjects(release, user, ownPassword(spec.users, user, known))),
    ...sortedNames(spec.vhosts).flatMap((vhost) => vhostObjects(input, vhost)),
  ];
}
