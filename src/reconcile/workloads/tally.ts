/**
 * What each monitor counts, kept as objects come and go: an event costs the same however many pods a monitor has.
 */

/** One counted object. */
export interface Counted {
  /** Key of its monitor. */
  readonly monitor: string;
  readonly isPod: boolean;
  /** Ready, bound, addressed: whether it serves. */
  readonly operational: boolean;
}

export interface MonitorCounts {
  readonly pods: number;
  readonly readyPods: number;
  readonly operational: number;
}

const NOTHING: MonitorCounts = { pods: 0, readyPods: 0, operational: 0 };

export class Tally {
  readonly #objects = new Map<string, Counted>();
  readonly #counts = new Map<string, MonitorCounts>();
  readonly #members = new Map<string, Set<string>>();

  of(monitor: string): MonitorCounts {
    return this.#counts.get(monitor) ?? NOTHING;
  }

  /** Keys of the objects of a monitor. */
  members(monitor: string): readonly string[] {
    return [...(this.#members.get(monitor) ?? [])];
  }

  /** Counts an object as it is now, or no longer; gives the monitors whose counts changed. */
  set(object: string, now: Counted | undefined): ReadonlySet<string> {
    const before = this.#objects.get(object);
    if (before?.monitor === now?.monitor && before?.operational === now?.operational) return new Set();
    this.#add(object, before, -1);
    this.#add(object, now, 1);
    if (now === undefined) this.#objects.delete(object);
    else this.#objects.set(object, now);
    return new Set([before, now].flatMap((counted) => counted?.monitor ?? []));
  }

  #add(object: string, counted: Counted | undefined, sign: 1 | -1): void {
    if (counted === undefined) return;
    const { monitor, isPod, operational } = counted;
    const { pods, readyPods, operational: serving } = this.of(monitor);
    this.#counts.set(monitor, {
      pods: pods + (isPod ? sign : 0),
      readyPods: readyPods + (isPod && operational ? sign : 0),
      operational: serving + (operational ? sign : 0),
    });
    const members = this.#members.get(monitor) ?? new Set();
    this.#members.set(monitor, members);
    if (sign === 1) members.add(object);
    else members.delete(object);
    if (members.size > 0) return;
    this.#members.delete(monitor);
    this.#counts.delete(monitor);
  }
}

export interface MonitorSpec {
  readonly replicas?: number;
  readonly minReplicas?: number;
}

export interface MonitorStatus {
  readonly operational: boolean;
  readonly availableReplicas: number;
  readonly observedReplicas: number;
}

/**
 * A monitor's status. Operational: at least `minReplicas` pods are ready. Without that figure one of what is counted must
 * serve, unless no replicas are wanted: nothing at all is not operational.
 */
export function monitorStatus(spec: MonitorSpec, counts: MonitorCounts): MonitorStatus {
  const { minReplicas, replicas } = spec;
  const operational =
    minReplicas === undefined ? replicas === 0 || counts.operational > 0 : counts.readyPods >= minReplicas;
  return { operational, availableReplicas: counts.readyPods, observedReplicas: counts.pods };
}
