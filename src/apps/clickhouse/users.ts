/** Users and their passwords. */
import { Secret } from "../../contracts/core.ts";
import { sha256hex } from "../../sdk/hash.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import type { GeneratedSecret } from "../../sdk/needs.ts";
import { passwordsNeed, passwordsOf } from "../../sdk/passwords.ts";
import type { Input, Spec } from "./spec.ts";

/** The platform's own user, for backups. What the specification says of it is ignored. */
export const backupUser = "backup";

/** One key per user: the password. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

interface User {
  readonly password?: string;
  readonly readonly?: boolean;
}

/** The users that there are. */
const usersOf = ({ users }: Spec): Readonly<Record<string, User>> => ({ ...users, [backupUser]: {} });

export function credentialsNeed({ release, spec }: Input) {
  return passwordsNeed(credentialsSecret(release), usersOf(spec));
}

/** A user with its password. */
export interface Account {
  readonly name: string;
  readonly password: string;
  readonly readonly: boolean;
}

/** Sorted by name. */
export function accounts(spec: Spec, known: GeneratedSecret): readonly Account[] {
  const users = usersOf(spec);
  return [...passwordsOf(users, known)].map(([name, password]) => ({
    name,
    password,
    readonly: users[name]?.readonly ?? false,
  }));
}

export function credentials(release: string, all: readonly Account[]): Rendered {
  const stringData = Object.fromEntries(all.map(({ name, password }) => [name, password]));
  return Secret(credentialsSecret(release), { stringData });
}

/** The operator's settings of the users, paths in ClickHouse's configuration. Only hashes leave the Secret. */
export function userSettings(all: readonly Account[]): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    all.flatMap(({ name, password, readonly }) => [
      [`${name}/password_sha256_hex`, sha256hex(password)],
      [`${name}/profile`, readonly ? "readonly" : "default"],
      [`${name}/networks/ip`, ["::/0"]],
    ]),
  );
}
