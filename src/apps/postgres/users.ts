/** Users and their passwords: the Secret that the tenant reads, and what the init Job sets. */
import { Secret } from "../../contracts/core.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { passwordsNeed } from "../../sdk/passwords.ts";
import type { Input } from "./spec.ts";

/** One key per user: the password. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

export function credentialsNeed({ release, spec }: Input) {
  return Object.keys(spec.users).length === 0 ? undefined : passwordsNeed(credentialsSecret(release), spec.users);
}

export function credentials(release: string, all: ReadonlyMap<string, string>): readonly Rendered[] {
  if (all.size === 0) return [];
  return [Secret(credentialsSecret(release), { stringData: Object.fromEntries(all) })];
}
