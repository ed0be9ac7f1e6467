/**
 * Whether a wave has come through: a pure look at where each of its applications is, and where it was.
 */
import type { ObjectRef } from "../../kube/object.ts";
import { nameOf } from "../../reconcile/problem.ts";
import type { InstanceState } from "../../reconcile/state.ts";
import { blockedBy } from "../effects/recorder.ts";

export interface Watched {
  readonly ref: ObjectRef;
  readonly wasReady: boolean;
  /** Where the last pass of the new version ended; undefined where there was none. */
  readonly state: InstanceState | undefined;
}

export type WaveVerdict =
  /** Some are on their way. */
  | { readonly is: "waiting"; readonly on: readonly ObjectRef[] }
  /** All came through; `held` asks a person before it loses data, and goes on as it was. */
  | { readonly is: "healthy"; readonly held: readonly ObjectRef[] }
  | { readonly is: "worse"; readonly why: string };

/** @param late whether those on their way have had their time */
export function judgeWave(apps: readonly Watched[], late: boolean): WaveVerdict {
  const stopped = apps.filter(({ state }) => state?.is === "refused" && !mayPass(state));
  const slow = apps.filter((app) => isOnItsWay(app));
  const worse = [...stopped, ...(late ? slow : [])].filter(({ wasReady }) => wasReady);
  if (worse.length > 0) return { is: "worse", why: whyText(worse) };
  if (slow.length > 0 && !late) return { is: "waiting", on: slow.map(({ ref }) => ref) };
  return { is: "healthy", held: apps.filter(({ state }) => state?.is === "unconfirmed").map(({ ref }) => ref) };
}

/** What was not ready before need not become it, once it was looked at. */
function isOnItsWay({ state, wasReady }: Watched): boolean {
  if (state === undefined || state.is === "outOfSync") return true;
  if (state.is === "refused") return wasReady && mayPass(state);
  return wasReady && (state.is === "progressing" || state.is === "waiting");
}

/** What the API server refused may be let in later. */
function mayPass({ problems }: Extract<InstanceState, { readonly is: "refused" }>): boolean {
  return problems.every(({ transient }) => transient);
}

const SHOWN = 5;

function whyText(worse: readonly Watched[]): string {
  const lines = worse.slice(0, SHOWN).map(({ ref, state }) => {
    const blocked = blockedBy(state);
    return `${nameOf(ref)}: ${blocked?.reason ?? "NotSeen"}: ${blocked?.message ?? "no pass over it has ended"}`;
  });
  const more = worse.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join("; ");
}
