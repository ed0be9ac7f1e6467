/** Users and their passwords: the Secret that the tenant reads, and what the init Job sets. */
import { Secret } from "../../contracts/core.ts";
import { refuse } from "../../sdk/errors.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, type Generator, generatedSecret } from "../../sdk/needs.ts";
import type { Input, Spec } from "./spec.ts";

/** One key per user: the password. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

const given = (user: Spec["users"][string]): string | undefined => (user.password === "" ? undefined : user.password);

/** The passwords that the user does not set: live ones stay as they are, missing ones are generated. */
export function credentialsNeed({ release, spec }: Input) {
  const users = Object.entries(spec.users);
  if (users.length === 0) return undefined;
  const generated = users
    .filter(([, user]) => given(user) === undefined)
    .map(([name]): [string, Generator] => [name, alphanumeric(16)]);
  return generatedSecret(credentialsSecret(release), Object.fromEntries(generated));
}

/** The password of every user of the spec, sorted by name. Users that are no longer in it have none. */
export function passwords(spec: Spec, known: GeneratedSecret | undefined): ReadonlyMap<string, string> {
  const all = Object.entries(spec.users).map(([name, user]): [string, string] => {
    const password = given(user) ?? known?.values[name];
    if (password !== undefined) return [name, password];
    return refuse({
      code: "InvalidSpec",
      field: `spec.users.${name}`,
      message: "the user has no password, given or generated",
      remedy: "Set a password.",
    });
  });
  return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export function credentials(release: string, all: ReadonlyMap<string, string>): readonly Rendered[] {
  if (all.size === 0) return [];
  return [Secret(credentialsSecret(release), { stringData: Object.fromEntries(all) })];
}
