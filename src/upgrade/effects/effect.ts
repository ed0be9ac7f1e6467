/**
 * What an upgrade or any other change does to applications: the same value whether it was rehearsed on a copy or happened.
 */
import { type Impact, worse } from "../../contracts/impact.ts";
import type { ObjectRef } from "../../kube/object.ts";
import type { ChangeAction } from "../../reconcile/change.ts";

/** One object of an application that changes. */
export interface ObjectEffect {
  readonly object: ObjectRef;
  readonly action: ChangeAction;
  readonly impact: Impact;
  /** Paths of the fields that differ. */
  readonly fields: readonly string[];
  readonly because: string;
}

/** What runs and is replaced or lost. */
export const unitKinds = ["pods", "virtual machines", "machines", "volumes"] as const;
export type UnitKind = (typeof unitKinds)[number];

/** How many of the pods, machines or volumes of one object of the application were replaced or lost. */
export interface PoolEffect {
  /** What they belong to: a StatefulSet, a database cluster, a pool of machines. */
  readonly object: ObjectRef;
  readonly what: UnitKind;
  readonly count: number;
}

/** Why an application does not get through. */
export interface Blocked {
  readonly reason: string;
  readonly message: string;
  readonly remedy?: string;
  /** The consent that is missing: the value of `apps.cozystack.io/allow-data-loss`. */
  readonly consent?: string;
}

export interface AppEffect {
  readonly app: ObjectRef;
  /** Namespace of the tenant whose application it is; for a Tenant the namespace that it makes. */
  readonly tenant: string;
  /** The worst of what its changes mean and of what was seen. */
  readonly impact: Impact;
  readonly changes: readonly ObjectEffect[];
  readonly pools: readonly PoolEffect[];
  readonly blocked?: Blocked;
  /** Otherwise what blocks it may be no news. */
  readonly wasReady: boolean;
  /** How long what is replaced takes, one after the other within a pool: an estimate. 0 where nothing is. */
  readonly seconds: number;
}

/** Impacts in the words of reports. */
export const impactWords: Readonly<Record<Impact, string>> = {
  none: "nothing",
  inPlace: "changed in place",
  restarts: "restarts",
  rolls: "rolls",
  replaces: "replaced",
  deletes: "deleted",
  losesData: "data lost",
};

/** What changes and pools together mean. An object that is new disturbs nothing that runs. */
export function impactOfEffect(changes: readonly ObjectEffect[], pools: readonly PoolEffect[]): Impact {
  const planned = changes.reduce<Impact>((worst, { action, impact }) => {
    return worse(worst, action === "create" || impact === "none" ? "inPlace" : impact);
  }, "none");
  return pools.reduce<Impact>((worst, { what }) => worse(worst, what === "volumes" ? "losesData" : "rolls"), planned);
}

/** `3 pods`, `1 machine`. */
export function unitText(what: UnitKind, count: number): string {
  return `${count} ${count === 1 ? what.slice(0, -1) : what}`;
}

/** How many of each sort are replaced or lost, all pools together. */
export function unitsOf(effects: readonly AppEffect[]): Readonly<Partial<Record<UnitKind, number>>> {
  const units: Partial<Record<UnitKind, number>> = {};
  for (const { pools } of effects) for (const { what, count } of pools) units[what] = (units[what] ?? 0) + count;
  return units;
}

/** Whether there is anything to say of it. */
export const isTouched = ({ impact, blocked }: AppEffect): boolean => impact !== "none" || blocked !== undefined;
