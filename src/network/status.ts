/**
 * The status of a SecurityGroup. Pure: the same facts give the same status, and what did not change keeps its time.
 */
import type { Dangling, Effect } from "./effect.ts";
import type { Group } from "./names.ts";

export type Status = NonNullable<Group["status"]>;
type Condition = NonNullable<Status["conditions"]>[number];

/** How the policy fares. */
export interface Verdict {
  readonly status: "True" | "False" | "Unknown";
  readonly reason: "PolicyApplied" | "PolicyNameTaken" | "PolicyRefused" | "FightingOver" | "CiliumMissing";
  readonly message: string;
}

/** A member, as far as the status shows it. */
export interface Member {
  readonly name: string;
  /** Uid of the controlling owner. */
  readonly owner?: string;
}

/** Members and references that are listed, and what a message names of them. */
const LISTED = 100;
const NAMED = 5;

/** The first few of many, for a message. */
function few(texts: readonly string[]): string {
  const left = texts.length - NAMED;
  return texts.slice(0, NAMED).join("; ") + (left > 0 ? `; and ${left} more` : "");
}

const NO_ISOLATION = "SecurityGroups only add to what is allowed; they restrict nothing";

export interface StatusFacts {
  readonly verdict: Verdict;
  readonly members: readonly Member[];
  readonly effects: readonly Effect[];
  readonly dangling: readonly Dangling[];
}

export function statusOf(group: Group, facts: StatusFacts, now: string): Status {
  const { verdict, members, effects, dangling } = facts;
  const { generation = 0 } = group.metadata;
  const before = group.status?.conditions ?? [];
  const condition = (
    type: string,
    { status, reason, message }: Omit<Verdict, "reason"> & { reason: string },
  ): Condition => {
    const last = before.find((one) => one.type === type);
    const lastTransitionTime = last?.status === status ? last.lastTransitionTime : now;
    return { type, status, reason, message, lastTransitionTime, observedGeneration: generation };
  };
  const names = members.map(({ name }) => name).sort();
  const owners = [...new Set(members.flatMap(({ owner }) => owner ?? []))].sort();
  return {
    observedGeneration: generation,
    members: members.length,
    pods: names.slice(0, LISTED),
    podOwners: owners.slice(0, LISTED),
    rules: effects,
    dangling: dangling.slice(0, LISTED),
    conditions: [
      condition("Ready", verdict),
      condition("ReferencesResolved", referencesResolved(dangling)),
      condition("RulesEffective", rulesEffective(effects)),
    ],
  };
}

function referencesResolved(dangling: readonly Dangling[]) {
  if (dangling.length === 0)
    return { status: "True", reason: "AllFound", message: "everything it refers to exists" } as const;
  const message = few(dangling.map(({ field, message: what }) => `${field}: ${what}`));
  return { status: "False", reason: "NotFound", message } as const;
}

function rulesEffective(effects: readonly Effect[]) {
  const idle = effects.filter(({ effective }) => !effective);
  if (effects.length === 0) {
    return { status: "False", reason: "NoRules", message: `it has no rules. ${NO_ISOLATION}` } as const;
  }
  if (idle.length === 0) {
    return { status: "True", reason: "AllAdd", message: `every rule allows something more. ${NO_ISOLATION}` } as const;
  }
  const reasons = new Set(idle.map(({ reason }) => reason));
  const [reason = "Adds"] = reasons;
  const said = few(idle.map(({ rule, message = "" }) => `${rule}: ${message}`));
  return {
    status: "False",
    reason: reasons.size === 1 ? reason : "Several",
    message: `${said}. ${NO_ISOLATION}`,
  } as const;
}
