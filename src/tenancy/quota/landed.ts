/**
 * Creates that arrived, by the uid of their object, as a watch tells them one by one. A list tells of an object that was
 * deleted again nothing at all, and without this its reservation would stay until it is too old.
 */

/** As many as are remembered: those of minutes, however fast tenants are ordered. */
const REMEMBERED = 20_000;

export class Landed {
  readonly #versions = new Map<string, string>();

  /** The object was seen at that version. */
  note(uid: string | undefined, version: string | undefined): void {
    if (uid === undefined || version === undefined || this.#versions.has(uid)) return;
    this.#versions.set(uid, version);
    if (this.#versions.size <= REMEMBERED) return;
    const [oldest] = this.#versions.keys();
    if (oldest !== undefined) this.#versions.delete(oldest);
  }

  /** The version at which the object was seen first; undefined where it was not. */
  versionOf(uid: string): string | undefined {
    return this.#versions.get(uid);
  }
}
