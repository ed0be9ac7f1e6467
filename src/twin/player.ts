/**
 * The twin plays the operators and machines that the embedded engine has not. A player answers one kind of object with
 * the children and the status that the real operator would make. Players are pure: the stage (stage.ts) does the writing.
 */
import type { AnyKind, Kind, KubeObject } from "../kube/object.ts";

/**
 * How a part plays, asked for through the ConfigMap `twin` (behaviours.ts): `neverReady` makes everything but never
 * reports success, `slow` takes many times as long, `refuses` reports a permanent failure.
 */
export type Behaviour = "normal" | "neverReady" | "slow" | "refuses";

/** What a player may know besides the object itself. */
export interface Scene {
  readonly behaviour: Behaviour;
  /** Live children of one kind, oldest name first. */
  children<T extends KubeObject>(kind: Kind<T>): readonly T[];
  /** An object that the player looks up; undefined when it does not exist. Kinds must be declared in `reads`. */
  find<T extends KubeObject>(kind: Kind<T>, name: string, namespace?: string): T | undefined;
  /** The same text for the same object, purpose and seed: names, keys and passwords of a run can be repeated. `length` hex digits. */
  token(purpose: string, length: number): string;
  /** RFC 3339, seconds. */
  now(): string;
  /** Milliseconds since the stage first met this object, or since it was asked with another `mark`. */
  since(mark: string): number;
  /** How long a step of the real thing takes in the twin, milliseconds: seeded, longer when `slow`. */
  pace(step: string): number;
  /** Certificate of the twin's own authority, PEM. */
  readonly certificate: string;
  /**
   * A tenant's cluster by the name of its control plane in the object's namespace. `simulated`: no API server answers for it, nor
   * will; `down`: none answers now.
   */
  cluster(name: string): ClusterView | "down" | "simulated";
}

/** A tenant's cluster as a player sees it. */
export interface ClusterView {
  /** Address of its API server. */
  readonly server: string;
  /** PEM of its authority. */
  readonly ca: string;
  /** The administrator's bearer token. */
  readonly token: string;
  /** An object in it. Kinds must be declared in `inClusters`. */
  find<T extends KubeObject>(kind: Kind<T>, name: string, namespace?: string): T | undefined;
}

export interface Act {
  /** Objects that should exist because of this one. They get an owner reference unless listed in `unowned`. */
  readonly children: readonly KubeObject[];
  /** Children that outlive their maker, or cannot be owned by it (cluster-scoped). */
  readonly unowned?: readonly KubeObject[];
  /** Milliseconds after which to play again although nothing changed: the next step of something that takes time. */
  readonly again?: number;
  /** Delete the object itself, at once: the last step of a kubelet or provisioner. */
  readonly remove?: boolean;
  /** Labels that the operator puts on the object itself. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Merged into the status; written only where it differs. */
  readonly status?: object;
  /** Objects that should exist in a tenant's cluster because of this one. They come when its API server answers, and go with this one. */
  readonly inCluster?: { readonly cluster: string; readonly objects: readonly KubeObject[] };
  /** The object is a control plane that runs, with this AuthenticationConfiguration, or does not run now. Its data goes with the object only. */
  readonly apiServer?: { readonly configuration: string; readonly isStopped: boolean };
}

export interface Player<T extends KubeObject> {
  readonly kind: Kind<T>;
  /** Kinds of the children: a change of one calls the player again. */
  readonly makes: readonly AnyKind[];
  /** Kinds that `find` looks up. */
  readonly reads?: readonly AnyKind[];
  /** Kinds of objects in tenants' clusters that it makes or looks up. */
  readonly inClusters?: readonly AnyKind[];
  /** Its objects are control planes that may have an API server. */
  readonly hasApiServer?: true;
  /** Whether objects that are being deleted are still played. Default false. */
  readonly playsDeleting?: boolean;
  /** Finalizer that the operator keeps on its objects, if it cleans up what owner references cannot reach. */
  readonly finalizer?: string;
  /** The finalizer is there only where whoever makes the object asks for it; it is never added. */
  readonly finalizerIsAskedFor?: true;
  play(object: T, scene: Scene): Act;
  /** What to delete before the finalizer goes; `notYet`: it stays until something that was looked up changes. */
  farewell?(object: T, scene: Scene): Farewell;
}

export type Farewell =
  | readonly { readonly kind: AnyKind; readonly name: string; readonly namespace?: string }[]
  | "notYet";

/** A player whose object type no longer shows. */
export interface AnyPlayer {
  readonly kind: AnyKind;
  readonly makes: readonly AnyKind[];
  readonly reads: readonly AnyKind[];
  readonly inClusters: readonly AnyKind[];
  readonly hasApiServer: boolean;
  readonly finalizer: string | undefined;
  readonly finalizerIsAskedFor: boolean;
  readonly playsDeleting: boolean;
  play(object: KubeObject, scene: Scene): Act;
  farewell(object: KubeObject, scene: Scene): Farewell;
}

function isOf<T extends KubeObject>(kind: Kind<T>, object: KubeObject): object is T {
  return object.kind === kind.kind;
}

/** Hides a player's object type, so that players of several kinds fit one list. */
export function player<T extends KubeObject>(of: Player<T>): AnyPlayer {
  const wrong = (object: KubeObject) => new TypeError(`the player of ${of.kind.kind} was given a ${object.kind}`);
  return {
    kind: of.kind,
    makes: of.makes,
    reads: of.reads ?? [],
    inClusters: of.inClusters ?? [],
    hasApiServer: of.hasApiServer ?? false,
    finalizer: of.finalizer,
    finalizerIsAskedFor: of.finalizerIsAskedFor ?? false,
    playsDeleting: of.playsDeleting ?? false,
    play(object, scene) {
      if (!isOf(of.kind, object)) throw wrong(object);
      return of.play(object, scene);
    },
    farewell(object, scene) {
      if (!isOf(of.kind, object)) throw wrong(object);
      return of.farewell?.(object, scene) ?? [];
    },
  };
}
