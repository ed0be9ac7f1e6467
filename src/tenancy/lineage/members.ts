/**
 * What was found to belong to which application, and what may yet be.
 */
interface Member {
  readonly uid: string;
  /** Uid of the application. */
  readonly instance: string | undefined;
  /** Namespace of one that belongs to nobody but has something to go by. */
  readonly unsettledIn: string | undefined;
}

export class Members {
  readonly #members = new Map<string, Member>();
  readonly #byInstance = new Map<string, Set<string>>();
  readonly #unsettled = new Map<string, Set<string>>();

  set(key: string, uid: string, instance: string | undefined, unsettledIn?: string): void {
    this.remove(key);
    this.#members.set(key, { uid, instance, unsettledIn });
    if (instance !== undefined) enter(this.#byInstance, instance, key);
    if (unsettledIn !== undefined) enter(this.#unsettled, unsettledIn, key);
  }

  /** Gives the uid of the object that had the key. */
  remove(key: string): string | undefined {
    const member = this.#members.get(key);
    if (member === undefined) return undefined;
    this.#members.delete(key);
    if (member.instance !== undefined) leave(this.#byInstance, member.instance, key);
    if (member.unsettledIn !== undefined) leave(this.#unsettled, member.unsettledIn, key);
    return member.uid;
  }

  of(instance: string): readonly string[] {
    return [...(this.#byInstance.get(instance) ?? [])];
  }

  unsettled(namespace: string): readonly string[] {
    return [...(this.#unsettled.get(namespace) ?? [])];
  }
}

function enter(map: Map<string, Set<string>>, at: string, key: string): void {
  const found = map.get(at);
  if (found === undefined) map.set(at, new Set([key]));
  else found.add(key);
}

function leave(map: Map<string, Set<string>>, at: string, key: string): void {
  const found = map.get(at);
  found?.delete(key);
  if (found?.size === 0) map.delete(at);
}
