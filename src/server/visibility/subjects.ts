/**
 * Callers and the subjects of bindings as keys that are equal when they mean the same.
 */
import type { Subject } from "../../kube/core-kinds.ts";
import type { Caller } from "../incoming.ts";

/** Groups that see every tenant, whatever is bound. */
const everything: ReadonlySet<string> = new Set(["system:masters", "cozystack-cluster-admin"]);

export const seesEverything = ({ groups }: Pick<Caller, "groups">): boolean =>
  groups.some((group) => everything.has(group));

const user = (name: string): string => `u:${name}`;
const group = (name: string): string => `g:${name}`;

/** The keys of a caller: its name and its groups. */
export function callerKeys(caller: Pick<Caller, "user" | "groups">): readonly string[] {
  return [user(caller.user), ...new Set(caller.groups.map(group))];
}

/**
 * The key of a binding's subject; undefined for kinds that name nobody.
 * @param namespace the binding's, for an account that names none
 */
export function subjectKey({ kind, name, namespace: own }: Subject, namespace: string): string | undefined {
  switch (kind) {
    case "User":
      return user(name);
    case "Group":
      return group(name);
    case "ServiceAccount":
      return user(`system:serviceaccount:${own ?? namespace}:${name}`);
    default:
      return undefined;
  }
}

/** The keys of all subjects, each once. */
export function subjectKeys(subjects: readonly Subject[] | undefined, namespace: string): ReadonlySet<string> {
  return new Set((subjects ?? []).flatMap((subject) => subjectKey(subject, namespace) ?? []));
}
