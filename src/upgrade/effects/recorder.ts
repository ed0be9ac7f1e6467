/**
 * Gathers what happens to each application: the changes that its passes carried out, where it ended, and what of that which
 * runs for it went.
 */
import { worse } from "../../contracts/impact.ts";
import { keyOf, type ObjectRef, refOfKey } from "../../kube/object.ts";
import type { Change } from "../../reconcile/change.ts";
import { nameOf } from "../../reconcile/problem.ts";
import type { InstanceState } from "../../reconcile/state.ts";
import { tenantNamespace } from "../../sdk/names.ts";
import {
  type AppEffect,
  type Blocked,
  impactOfEffect,
  type ObjectEffect,
  type PoolEffect,
  type UnitKind,
} from "./effect.ts";
import type { Gone } from "./turnover.ts";

/** An application as it was before, or is now. */
export interface RecordedApp {
  readonly ref: ObjectRef;
  readonly ready: boolean;
  /** What it owns, by {@link keyOf}. */
  readonly owned: readonly string[];
}

export interface Recorder {
  /** Changes that a pass over an application carried out. */
  written(app: ObjectRef, changes: readonly Change[]): void;
  /** Where a pass ended. */
  passed(app: ObjectRef, state: InstanceState): void;
  /** Where the last pass over it ended. */
  stateOf(app: ObjectRef): InstanceState | undefined;
  /** What became of each. `before`: those that existed when the recording began. */
  effects(before: readonly RecordedApp[], now: readonly RecordedApp[], gone: readonly Gone[]): readonly AppEffect[];
}

/** Seconds that one of each takes to be replaced. */
export type Pace = Readonly<Record<UnitKind, number>>;

/** Pools change at the same time, what is in one of them one after the other. */
function secondsOf(pools: readonly PoolEffect[], pace: Pace): number {
  const all = new Map<string, number>();
  for (const { object, what, count } of pools)
    all.set(keyOf(object), (all.get(keyOf(object)) ?? 0) + count * pace[what]);
  return Math.max(0, ...all.values());
}

export function effectRecorder(pace: Pace): Recorder {
  const changes = new Map<string, Map<string, ObjectEffect>>();
  const states = new Map<string, InstanceState>();

  function changesOf(key: string, state: InstanceState | undefined): readonly ObjectEffect[] {
    const done = [...(changes.get(key)?.values() ?? [])];
    return state?.is === "unconfirmed" ? [...done, ...state.changes.map(effectOf)] : done;
  }

  return {
    written(app, done) {
      const of = changes.get(keyOf(app)) ?? new Map<string, ObjectEffect>();
      changes.set(keyOf(app), of);
      for (const change of done) {
        const effect = effectOf(change);
        const before = of.get(keyOf(change.object));
        of.set(keyOf(change.object), before === undefined ? effect : merged(before, effect));
      }
    },
    passed: (app, state) => void states.set(keyOf(app), state),
    stateOf: (app) => states.get(keyOf(app)),
    effects(before, now, gone) {
      const all = new Map([...before, ...now].map((app) => [keyOf(app.ref), app]));
      const owners = ownersOf([...before, ...now]);
      const pools = poolsOf(gone, owners);
      const wasReady = new Map(before.map(({ ref, ready }) => [keyOf(ref), ready]));
      return [...all.values()].map(({ ref }): AppEffect => {
        const key = keyOf(ref);
        const state = states.get(key);
        const effects = changesOf(key, state);
        const of = pools.get(key) ?? [];
        const blocked = blockedBy(state);
        return {
          app: ref,
          tenant: tenantOf(ref),
          impact: impactOfEffect(effects, of),
          changes: effects,
          pools: of,
          ...(blocked === undefined ? {} : { blocked }),
          wasReady: wasReady.get(key) ?? true,
          seconds: secondsOf(of, pace),
        };
      });
    },
  };
}

/** The tenant that an application belongs to: of a Tenant the one that it is. */
export function tenantOf({ kind, namespace = "", name }: ObjectRef): string {
  return kind === "Tenant" ? tenantNamespace(namespace, name) : namespace;
}

function effectOf({ object: { uid: _, ...object }, action, impact, fields, because }: Change): ObjectEffect {
  return { object, action, impact, fields: fields.map(({ path }) => path), because };
}

function merged(before: ObjectEffect, after: ObjectEffect): ObjectEffect {
  return {
    ...(worse(before.impact, after.impact) === before.impact ? before : after),
    action: before.action,
    fields: [...new Set([...before.fields, ...after.fields])],
  };
}

/** Which application owns an object, by key of the object. */
function ownersOf(apps: readonly RecordedApp[]): ReadonlyMap<string, string> {
  return new Map(apps.flatMap(({ ref, owned }) => owned.map((key) => [key, keyOf(ref)] as const)));
}

function poolsOf(
  gone: readonly Gone[],
  owners: ReadonlyMap<string, string>,
): ReadonlyMap<string, readonly PoolEffect[]> {
  const pools = new Map<string, Map<string, PoolEffect>>();
  for (const { what, line } of gone) {
    const top = line.findLast((key) => owners.has(key));
    const app = top === undefined ? undefined : owners.get(top);
    if (top === undefined || app === undefined) continue;
    const of = pools.get(app) ?? new Map<string, PoolEffect>();
    pools.set(app, of);
    const known = of.get(`${what} ${top}`) ?? { object: refOfKey(top), what, count: 0 };
    of.set(`${what} ${top}`, { ...known, count: known.count + 1 });
  }
  return new Map([...pools].map(([app, of]) => [app, [...of.values()]]));
}

/** Why an application is not where it should be; undefined when it is. */
export function blockedBy(state: InstanceState | undefined): Blocked | undefined {
  switch (state?.is) {
    case undefined:
      return { reason: "NotSeen", message: "no pass over it has ended" };
    case "waiting":
      return { reason: "WaitingForObject", message: `${nameOf(state.on)}: ${state.why}` };
    case "refused": {
      const [problem] = state.problems;
      if (problem === undefined) return { reason: "Refused", message: "refused" };
      const at = problem.field === undefined ? "" : `${problem.field}: `;
      return {
        reason: problem.code,
        message: `${nameOf(problem.object)}: ${at}${problem.message}`,
        remedy: problem.remedy,
      };
    }
    case "unconfirmed":
      return {
        reason: "ConfirmationRequired",
        message: "data would be lost: nothing is changed until somebody allows that",
        remedy: `Set the annotation apps.cozystack.io/allow-data-loss to ${state.hash} once the loss is wanted.`,
        consent: state.hash,
      };
    case "progressing": {
      const [on] = state.on;
      return {
        reason: "NotHealthy",
        message: on === undefined ? "not healthy" : `${nameOf(on.object)}: ${on.health.why}`,
      };
    }
    case "outOfSync":
      return { reason: "Unfinished", message: `${state.changes.length} changes are left to do` };
    case "deleting": {
      const by = state.blockedBy;
      return { reason: "Deleting", message: by === undefined ? "being deleted" : `${nameOf(by.object)}: ${by.why}` };
    }
    case "ready":
    case "gone":
      return undefined;
  }
}
