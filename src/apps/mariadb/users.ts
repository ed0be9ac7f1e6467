/** What is in the servers: users with their passwords, databases, and who may do what in them. */
import { Secret } from "../../contracts/core.ts";
import { Database, Grant, User } from "../../contracts/k8s-mariadb-com.ts";
import { changing, type Rendered } from "../../sdk/manifest.ts";
import { sortedNames } from "../../sdk/names.ts";
import type { GeneratedSecret } from "../../sdk/needs.ts";
import { passwordsNeed, passwordsOf, type Users } from "../../sdk/passwords.ts";
import type { Input, Spec } from "./spec.ts";

/** One key per user, and the superuser's: the password. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

/** The superuser. It is there from the beginning, and what the specification says of it is its password alone. */
export const root = "root";

const usersOf = ({ users }: Spec): Users => ({ [root]: {}, ...users });

/** The servers read the superuser's password only while they are made: another one would lock the operator out. */
export function credentialsNeed({ release, spec }: Input) {
  return passwordsNeed(credentialsSecret(release), usersOf(spec), [root]);
}

const named = (release: string, ...names: readonly string[]): string =>
  [release, ...names.map((name) => name.replaceAll("_", "-"))].join("-");

function grant(release: string, database: string, username: string, privileges: readonly string[]): Rendered {
  const object = Grant(named(release, database, username), {
    spec: { mariaDbRef: { name: release }, privileges, database, table: "*", username, grantOption: true },
  });
  return changing(object, { replaceOn: ["/spec/database", "/spec/username"] });
}

function databaseObjects({ release, spec }: Input, name: string): readonly Rendered[] {
  const { admin = [], readonly = [] } = spec.databases[name]?.roles ?? {};
  const object = Database(named(release, name), {
    spec: { name, mariaDbRef: { name: release }, characterSet: "utf8", collate: "utf8_general_ci" },
  });
  return [
    // Names that differ in spelling only make objects of one name, and the operator refuses another name in one.
    changing(object, { replaceOn: ["/spec/name"] }),
    ...admin.map((user) => grant(release, name, user, ["ALL"])),
    ...readonly.map((user) => grant(release, name, user, ["SELECT"])),
  ];
}

function userObject({ release, spec }: Input, name: string): readonly Rendered[] {
  const user = spec.users[name];
  if (user === undefined || name === root) return [];
  const object = User(named(release, name), {
    spec: {
      name,
      mariaDbRef: { name: release },
      passwordSecretKeyRef: { name: credentialsSecret(release), key: name },
      maxUserConnections: user.maxUserConnections,
    },
  });
  return [changing(object, { replaceOn: ["/spec/name"] })];
}

export function contents(input: Input, known: GeneratedSecret): readonly Rendered[] {
  const { release, spec } = input;
  return [
    Secret(credentialsSecret(release), { stringData: Object.fromEntries(passwordsOf(usersOf(spec), known)) }),
    ...sortedNames(spec.users).flatMap((name) => userObject(input, name)),
    ...sortedNames(spec.databases).flatMap((name) => databaseObjects(input, name)),
  ];
}
