/**
 * A migration: what a version of the platform needs of objects that earlier versions left behind, as a value. Migration N is
 * upstream's slot N: it takes an installation from stamp N to stamp N + 1.
 */
import type { Client } from "../../kube/client.ts";
import type { AnyKind } from "../../kube/object.ts";
import type { World } from "../../kube/world.ts";
import type { Cluster } from "./cluster.ts";
import type { Failure } from "./errors.ts";
import type { MigrationWrite } from "./writes.ts";

/** What becomes of the whole when a part fails. */
export type OnFailure =
  /** Everything stops, with what was done so far done. */
  | "closed"
  /** The rest goes on; the migration stays recorded as incomplete and is tried again by the next run. */
  | "open";

/** Whether there is something to migrate at all. */
export type Applicability =
  | { readonly applies: true; readonly warnings?: readonly string[] }
  | { readonly applies: false; readonly because: string };

/** What a step may use beside what it reads. */
export interface StepContext {
  readonly cluster: Cluster;
  /** Writes are refused once the lease is lost. */
  readonly client: Client;
  readonly world: World;
  readonly signal?: AbortSignal;
}

export interface MigrationStep {
  /** In the imperative, for people. */
  readonly title: string;
  /** What is left to do. A step is done when this is empty: planned again after its writes, it is its own verification. */
  plan(cluster: Cluster): Promise<readonly MigrationWrite[]>;
  /** Resolves when what others do because of the writes is done. @throws MigrationError when it is not in time */
  settle?(context: StepContext): Promise<void>;
}

export interface Migration {
  readonly id: number;
  /** What it does, in a line. */
  readonly title: string;
  /** What would happen without it. */
  readonly why: string;
  /** Where there is something to do, for people. */
  readonly where: string;
  readonly fails: { readonly reads: OnFailure; readonly writes: OnFailure };
  /** How a person gets past it when it refuses. Absent: by mending what it names. */
  readonly hatch?: string;
  /**
   * Whether it looks for itself where only the stamp says that it was done: upstream's stamp moves on over objects that failed,
   * and the same slot was not the same on every branch.
   */
  readonly onceDone: { readonly is: "looksAgain" | "neverAgain"; readonly because: string };
  /** Asked of every migration that is due before the first write of a run. @throws MigrationError when nothing may begin */
  precondition(cluster: Cluster): Promise<Applicability>;
  readonly steps: readonly MigrationStep[];
  /** Done after the steps however they ended, and at the next run when this one was killed. */
  readonly afterwards?: MigrationStep;
  /** What must hold in the end beside there being nothing left to plan. @throws MigrationError */
  verify?(cluster: Cluster): Promise<void>;
  /** Annotations of upstream's stamp by which it tells people what is left; null takes one away. */
  stampAnnotations?(failures: readonly Failure[]): Readonly<Record<string, string | null>>;
}

/** Applies where at least one of the kinds is served. */
export function whereServed(...kinds: readonly AnyKind[]): Migration["precondition"] {
  return async (cluster) => {
    for (const kind of kinds) if ((await cluster.served(kind)) !== undefined) return { applies: true };
    const names = kinds.map(({ plural, group }) => `${plural}.${group}`).join(" and ");
    return { applies: false, because: `the cluster does not serve ${names}` };
  };
}

export const everywhere: Migration["precondition"] = async () => ({ applies: true });
