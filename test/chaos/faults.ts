/**
 * The faults that are put under a scenario, as interceptors of the controller's client.
 */
import type { Intercept, InterceptEvent } from "../../src/kube/request.ts";

/** What happens to the controller; `seed` makes chance repeatable. */
export type Fault =
  | { readonly is: "none" }
  /** Dies before or after its write number `at`, and is started again. */
  | { readonly is: "kill"; readonly at: number; readonly when: "before" | "after" }
  /** Real processes are killed at moments of chance, three in each step. */
  | { readonly is: "sigkill"; readonly seed: number }
  /** Answers of writes get lost: carried out, but nobody knows. */
  | { readonly is: "lostAnswers"; readonly seed: number }
  /** Writes are refused as conflicts. */
  | { readonly is: "conflicts"; readonly seed: number }
  /** Requests of every sort fail, as from an overloaded API server. */
  | { readonly is: "errors"; readonly seed: number }
  /** Watches break off, and what they then miss comes late. */
  | { readonly is: "stale"; readonly seed: number }
  /** Events are lost; the controller is started again in the end, as it would be some day. */
  | { readonly is: "droppedEvents"; readonly seed: number };

/** The names of all faults. */
export const faultNames: readonly Fault["is"][] = [
  "kill",
  "sigkill",
  "lostAnswers",
  "conflicts",
  "errors",
  "stale",
  "droppedEvents",
];

export interface Interference {
  readonly intercept: Intercept;
  readonly interceptEvent?: InterceptEvent;
}

export interface Injected {
  /** Faults that really happened. */
  count: number;
}

/** A repeatable source of chance: mulberry32. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Makes the interceptors of a fault, anew for each life of the controller. `onKill` is called when it is about to die. */
export function interference(fault: Fault, injected: Injected, onKill: () => void): () => Interference {
  const random = "seed" in fault ? chance(fault.seed) : () => 1;
  const hit = (probability: number): boolean => {
    if (random() >= probability) return false;
    injected.count += 1;
    return true;
  };
  return () =>
    meddling(fault, hit, random, () => {
      injected.count += 1;
      onKill();
    });
}

function meddling(
  fault: Fault,
  hit: (probability: number) => boolean,
  random: () => number,
  onKill: () => void,
): Interference {
  const quiet: Intercept = () => undefined;
  switch (fault.is) {
    case "none":
    case "sigkill":
      return { intercept: quiet };
    case "kill":
      return {
        intercept(request, writes) {
          if (!request.write || writes !== fault.at) return undefined;
          onKill();
          return { do: "kill", when: fault.when };
        },
      };
    case "lostAnswers":
      return { intercept: (request) => (request.write && hit(0.25) ? { do: "loseAnswer" } : undefined) };
    case "conflicts":
      return { intercept: (request) => (request.write && hit(0.25) ? { do: "fail", code: "Conflict" } : undefined) };
    case "errors":
      return {
        intercept: (request) =>
          request.verb !== "watch" && hit(0.2)
            ? { do: "fail", code: random() < 0.5 ? "ServiceUnavailable" : "TooManyRequests" }
            : undefined,
      };
    case "stale":
      return {
        intercept: (request) => (request.verb === "watch" ? { do: "delay", ms: 50 + random() * 250 } : undefined),
        interceptEvent: afterFirstState(() => (hit(0.1) ? (random() < 0.3 ? "expire" : "disconnect") : "pass")),
      };
    case "droppedEvents":
      return { intercept: quiet, interceptEvent: afterFirstState(() => (hit(0.3) ? "drop" : "pass")) };
  }
}

/** Leaves a watch alone until its first state is complete: that is a list, which comes whole or not at all. */
function afterFirstState(meddle: () => "pass" | "drop" | "disconnect" | "expire"): InterceptEvent {
  const complete = new Set<string>();
  return ({ group, kind, type }) => {
    const key = `${group}/${kind}`;
    if (type === "synced") complete.add(key);
    if (type === "synced" || type === "bookmark" || !complete.has(key)) return "pass";
    const verdict = meddle();
    if (verdict === "expire") complete.delete(key);
    return verdict;
  };
}

/** Faults that go on happening, so that the end state is taken by a controller that nothing is done to. */
export function isByChance(fault: Fault): boolean {
  return fault.is !== "none" && fault.is !== "kill" && fault.is !== "sigkill";
}

/** Milliseconds after which each of the processes of a step is killed, counted from when it watches. */
export function momentsOf(fault: Fault): readonly number[] {
  if (fault.is !== "sigkill") return [];
  const random = chance(fault.seed);
  return [random() * 30, random() * 100, random() * 300];
}

/** A fault in words, for reports; with it a failing case can be run again. */
export function describe(fault: Fault): string {
  if (fault.is === "none") return "no fault";
  return fault.is === "kill" ? `killed ${fault.when} write ${fault.at}` : `${fault.is}, seed ${fault.seed}`;
}
