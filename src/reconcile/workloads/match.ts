/**
 * Which monitor an object belongs to: of those whose selector fits, the one with the most keys, then the oldest, then the
 * first by name. One look-up per label, however many monitors there are.
 */
import type { KubeObject } from "../../kube/object.ts";

/** A monitor, as far as matching needs it. */
export interface Selecting {
  readonly name: string;
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
  /** RFC 3339. */
  readonly created: string;
}

export const monitorKey = (monitor: { readonly name: string; readonly namespace: string }): string =>
  `${monitor.namespace}/${monitor.name}`;

export class MonitorIndex {
  readonly #monitors = new Map<string, Selecting>();
  readonly #byLabel = new Map<string, Set<string>>();

  get(key: string): Selecting | undefined {
    return this.#monitors.get(key);
  }

  set(monitor: Selecting): void {
    const key = monitorKey(monitor);
    this.remove(key);
    this.#monitors.set(key, monitor);
    const label = firstLabel(monitor);
    if (label === undefined) return;
    const found = this.#byLabel.get(label);
    if (found === undefined) this.#byLabel.set(label, new Set([key]));
    else found.add(key);
  }

  remove(key: string): void {
    const monitor = this.#monitors.get(key);
    this.#monitors.delete(key);
    const label = monitor === undefined ? undefined : firstLabel(monitor);
    if (label === undefined) return;
    const found = this.#byLabel.get(label);
    found?.delete(key);
    if (found?.size === 0) this.#byLabel.delete(label);
  }

  /** The monitor of an object. A selector without keys matches nothing. */
  of(object: KubeObject): Selecting | undefined {
    const { namespace = "", labels = {} } = object.metadata;
    let best: Selecting | undefined;
    for (const [name, value] of Object.entries(labels)) {
      for (const key of this.#byLabel.get(labelKey(namespace, name, value)) ?? []) {
        const monitor = this.#monitors.get(key);
        if (monitor === undefined || !matches(monitor, object)) continue;
        if (best === undefined || goesBefore(monitor, best)) best = monitor;
      }
    }
    return best;
  }
}

/** Whether a monitor's selector fits an object of its namespace. */
export function matches({ selector, namespace }: Selecting, { metadata }: KubeObject): boolean {
  const keys = Object.entries(selector);
  if (keys.length === 0 || metadata.namespace !== namespace) return false;
  return keys.every(([name, value]) => metadata.labels?.[name] === value);
}

function goesBefore(a: Selecting, b: Selecting): boolean {
  const [keysOfA, keysOfB] = [Object.keys(a.selector).length, Object.keys(b.selector).length];
  if (keysOfA !== keysOfB) return keysOfA > keysOfB;
  if (a.created !== b.created) return a.created < b.created;
  return a.name < b.name;
}

const labelKey = (namespace: string, name: string, value: string): string => `${namespace}\n${name}\n${value}`;

// One label is enough to find a monitor: the one least likely to be everybody's is not known, so the last by name.
function firstLabel({ namespace, selector }: Selecting): string | undefined {
  const last = Object.entries(selector).sort(([a], [b]) => (a < b ? 1 : -1))[0];
  return last === undefined ? undefined : labelKey(namespace, last[0], last[1]);
}
