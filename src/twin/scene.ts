/**
 * What a player sees, made from the stage's stores. Everything random follows from the seed and the object's uid, so that a
 * run can be repeated.
 */
import { createHash } from "node:crypto";
import type { AnyKind, Kind, KubeObject } from "../kube/object.ts";
import type { Store } from "../kube/store.ts";
import { timestamp, type World } from "../kube/world.ts";
import type { Behaviour, Scene } from "./player.ts";

/** How long steps take on average, milliseconds. */
const durations: Readonly<Record<string, number>> = { start: 300, work: 400 };
const slowness = 25;

/** How many times as long as in the twin, at pace 1, a step takes where something really runs; a rule of thumb. */
const reality = 100;

/** Seconds that a step takes where something really runs: an estimate. */
export function realSeconds(step: "start" | "work"): number {
  return ((durations[step] ?? 0) * reality) / 1000;
}

export interface SceneOptions {
  readonly object: KubeObject;
  readonly behaviour: Behaviour;
  readonly seed: string;
  /** Multiplies every duration; 0 makes everything immediate. */
  readonly pace: number;
  readonly world: World;
  readonly certificate: string;
  /** When this object was met with a mark, on the monotonic clock. */
  readonly marks: Map<string, number>;
  storeOf<T extends KubeObject>(kind: Kind<T>): Store<T>;
  /** Told of every look-up, so that a change of what was looked up plays the object again. */
  readonly onFind: (kind: AnyKind, name: string, namespace: string | undefined) => void;
  /** A tenant's cluster of the object's namespace. */
  readonly cluster: Scene["cluster"];
}

export function sceneOf(options: SceneOptions): Scene {
  const { object, behaviour, seed, world, marks } = options;
  const { uid = "" } = object.metadata;
  const token = (purpose: string, length: number): string => {
    let text = "";
    for (let block = 0; text.length < length; block += 1) {
      text += createHash("sha256").update(`${seed}|${uid}|${purpose}|${block}`).digest("hex");
    }
    return text.slice(0, length);
  };
  return {
    behaviour,
    certificate: options.certificate,
    cluster: options.cluster,
    token,
    children: (kind) =>
      [...options.storeOf(kind).ownedBy(uid)].sort((a, b) =>
        a.metadata.name.localeCompare(b.metadata.name, "en", { numeric: true }),
      ),
    find(kind, name, namespace) {
      options.onFind(kind, name, namespace);
      return options.storeOf(kind).get(name, kind.namespaced ? namespace : undefined);
    },
    now: () => timestamp(world),
    since(mark) {
      const now = world.monotonic();
      const met = marks.get(mark) ?? now;
      marks.set(mark, met);
      return now - met;
    },
    pace(step) {
      const spread = 0.5 + Number.parseInt(token(`pace of ${step}`, 4), 16) / 0xffff;
      return (durations[step] ?? 300) * spread * options.pace * (behaviour === "slow" ? slowness : 1);
    },
  };
}
