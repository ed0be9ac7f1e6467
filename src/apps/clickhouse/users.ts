/** Users and their passwords. */
import { Secret } from "../../contracts/core.ts";
import { sha256hex } from "../../sdk/hash.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, type Generator, generatedSecret } from "../../sdk/needs.ts";
import type { Input, Spec } from "./spec.ts";

/** The platform's own user, for backups. What the specification says of it is ignored. */
export const backupUser = "backup";

/** One key per user: the password. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

interface User {
  readonly password?: string;
  readonly readonly?: boolean;
}

/** The users that there are, sorted by name. */
function usersOf({ users }: Spec): readonly (readonly [string, User])[] {
  const all: Readonly<Record<string, User>> = { ...users, [backupUser]: {} };
  return Object.entries(all).sort(([a], [b]) => (a < b ? -1 : 1));
}

const given = ({ password }: User): string | undefined => (password === "" ? undefined : password);

/** The passwords that are not set: live ones stay as they are, missing ones are generated. */
export function credentialsNeed({ release, spec }: Input) {
  const generated = usersOf(spec)
    .filter(([, user]) => given(user) === undefined)
    .map(([name]): [string, Generator] => [name, alphanumeric(16)]);
  return generatedSecret(credentialsSecret(release), Object.fromEntries(generated));
}

/** A user with its password. */
export interface Account {
  readonly name: string;
  readonly password: string;
  readonly readonly: boolean;
}

export function accounts(spec: Spec, known: GeneratedSecret): readonly Account[] {
  return usersOf(spec).map(([name, user]) => {
    const password = given(user) ?? known.values[name];
    if (password === undefined) throw new Error(`no password was generated for the user ${name}`);
    return { name, password, readonly: user.readonly ?? false };
  });
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
