/**
 * Which subjects are named by a binding in which namespaces. Kept by single changes: the cost of one is that of the
 * binding's subjects, of a question that of the caller's groups, whatever the number of tenants.
 */

/** What a change did to the subjects that it touched: whether each was named in the namespace before. */
export interface GrantChange {
  readonly namespace: string;
  readonly before: ReadonlyMap<string, boolean>;
}

export class GrantIndex {
  /** Subject, then namespace: by how many bindings. */
  readonly #counts = new Map<string, Map<string, number>>();
  /** Namespace and binding: its subjects. */
  readonly #bindings = new Map<string, ReadonlySet<string>>();

  /** Replaces what a binding says; no subjects when it is gone. Undefined when nobody gained or lost anything. */
  set(namespace: string, binding: string, subjects: ReadonlySet<string>): GrantChange | undefined {
    const key = `${namespace}/${binding}`;
    const old = this.#bindings.get(key) ?? new Set<string>();
    const before = new Map<string, boolean>();
    for (const subject of subjects) if (!old.has(subject)) this.#count(subject, namespace, 1, before);
    for (const subject of old) if (!subjects.has(subject)) this.#count(subject, namespace, -1, before);
    if (subjects.size === 0) this.#bindings.delete(key);
    else this.#bindings.set(key, subjects);
    return before.size === 0 ? undefined : { namespace, before };
  }

  #count(subject: string, namespace: string, by: 1 | -1, before: Map<string, boolean>): void {
    const namespaces = this.#counts.get(subject) ?? new Map<string, number>();
    const count = namespaces.get(namespace) ?? 0;
    if (count + by > 0) namespaces.set(namespace, count + by);
    else namespaces.delete(namespace);
    if (namespaces.size === 0) this.#counts.delete(subject);
    else this.#counts.set(subject, namespaces);
    // One binding more or less changes nothing for somebody whom another one names.
    if (count === 0 || count + by === 0) before.set(subject, count > 0);
  }

  names(subjects: readonly string[], namespace: string): boolean {
    return subjects.some((subject) => this.#counts.get(subject)?.has(namespace) === true);
  }

  /** Whether any of the subjects was named before the change. */
  named({ namespace, before }: GrantChange, subjects: readonly string[]): boolean {
    return subjects.some((subject) => before.get(subject) ?? this.names([subject], namespace));
  }

  namespacesOf(subjects: readonly string[]): ReadonlySet<string> {
    return new Set(subjects.flatMap((subject) => [...(this.#counts.get(subject)?.keys() ?? [])]));
  }
}
