/** Users and their passwords: the Secret that the tenant reads, and the values that bring them to the servers. */
import { Secret } from "../../contracts/core.ts";
import { watchedValues } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import type { GeneratedSecret } from "../../sdk/needs.ts";
import { passwordsNeed, passwordsOf } from "../../sdk/passwords.ts";
import type { Input } from "./spec.ts";

/** One key per user: the password. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

/** Values of the chart with the users' passwords, which do not belong into the release itself. */
const accountsSecret = (release: string): string => `${release}-accounts`;

export function credentialsNeed({ release, spec }: Input) {
  return Object.keys(spec.users).length === 0 ? undefined : passwordsNeed(credentialsSecret(release), spec.users);
}

/** Names of the Secrets whose values the release takes. */
export function accountValues({ release, spec }: Input): readonly string[] {
  return Object.keys(spec.users).length === 0 ? [] : [accountsSecret(release)];
}

/** Nothing without users. */
export function users({ release, spec }: Input, known: GeneratedSecret | undefined): readonly Rendered[] {
  const all = [...passwordsOf(spec.users, known)];
  if (all.length === 0) return [];
  const accounts = { A: { users: all.map(([user, password]) => ({ user, password })) } };
  // JSON is YAML, whatever the texts in it.
  const values = JSON.stringify({ nats: { config: { merge: { accounts } } } });
  return [
    Secret(credentialsSecret(release), { stringData: Object.fromEntries(all) }),
    Secret(accountsSecret(release), { labels: watchedValues, stringData: { "values.yaml": values } }),
  ];
}
