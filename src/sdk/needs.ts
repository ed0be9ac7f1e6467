/**
 * What a render declares it must know about the cluster. The controller watches each need, resolves all of them
 * before render runs, and renders again when an answer changes. Absence is an answer only where the need is optional.
 */
import type { AnyKind, Kind, KubeObject } from "../kube/object.ts";

/** Makes one value of a generated Secret. `random(n)` gives n cryptographically random bytes. */
export type Generator = (random: (bytes: number) => Uint8Array) => string;

/** Which object of a name is meant. `says` completes "does not exist yet, or": the same words whether there is another or none. */
export interface Counts {
  readonly if: (object: KubeObject) => boolean;
  readonly says: string;
}

/** What the controller fetches and watches for a need. Plain data. */
export type NeedRequest =
  | {
      readonly type: "object";
      readonly kind: AnyKind;
      readonly name: string;
      readonly namespace?: string;
      readonly required: boolean;
      /** Objects that may be taken; another one of that name counts as absent. Default: any. */
      readonly counts?: Counts;
    }
  | {
      readonly type: "list";
      readonly kind: AnyKind;
      readonly namespace?: string;
      readonly labels: Readonly<Record<string, string>>;
    }
  | {
      readonly type: "generated";
      readonly name: string;
      readonly values: Readonly<Record<string, Generator>>;
      readonly rotate: readonly string[];
    };

/** The answers to all requests, given by the controller (live), `render` (a file) or the parity suite (a case). */
export interface Answers {
  /** Undefined: the read succeeded and there is no such object. `namespace` absent: the application's own, or none for cluster-scoped kinds. */
  object<T extends KubeObject>(kind: Kind<T>, name: string, namespace?: string): T | undefined;
  list<T extends KubeObject>(kind: Kind<T>, labels: Readonly<Record<string, string>>, namespace?: string): readonly T[];
  /** All values of the Secret, decoded: live ones where the key exists, else newly generated ones. */
  generated(name: string): GeneratedSecret;
}

export interface GeneratedSecret {
  readonly name: string;
  /** Every key: those that live has (asked for or not), and generated values for the asked keys that it lacks. */
  readonly values: Readonly<Record<string, string>>;
  /** Keys that live has. */
  readonly existing: ReadonlySet<string>;
}

/** One need: its request and how its typed value is read from the answers. */
export interface Need<T> {
  readonly request: NeedRequest;
  read(answers: Answers): T;
}

/** A record of needs; undefined entries are not needed for this spec. An entry may be a record of needs of its own, keyed by users, disks and the like. */
export type Needs = Readonly<Record<string, Need<unknown> | Readonly<Record<string, Need<unknown>>> | undefined>>;

/** The record that render receives: the value of each need. */
export type Resolved<N extends Needs> = { readonly [K in keyof N]: ResolvedNeed<N[K]> };
type ResolvedNeed<N> =
  N extends Need<infer T>
    ? T
    : N extends undefined
      ? undefined
      : N extends Readonly<Record<string, Need<infer T>>>
        ? Readonly<Record<string, T>>
        : never;

interface Where {
  /** Default: the application's namespace. Ignored for cluster-scoped kinds. */
  readonly namespace?: string;
}

interface WhichOne extends Where {
  readonly counts?: Counts;
}

/** An object that must exist: until it does the application waits, `Ready=False` with reason `WaitingForObject`. */
export function required<T extends KubeObject>(kind: Kind<T>, name: string, where: WhichOne = {}): Need<T> {
  return {
    request: { type: "object", kind, name, required: true, ...where },
    read(answers) {
      const object = answers.object(kind, name, where.namespace);
      if (object === undefined) throw new Error(`required ${kind.kind} ${name} was not resolved before render`);
      return object;
    },
  };
}

/** An object that may exist; undefined when it does not. Also the way to look at one's own live object. */
export function optional<T extends KubeObject>(kind: Kind<T>, name: string, where: WhichOne = {}): Need<T | undefined> {
  return {
    request: { type: "object", kind, name, required: false, ...where },
    read: (answers) => answers.object(kind, name, where.namespace),
  };
}

/** All objects with these labels. */
export function matching<T extends KubeObject>(
  kind: Kind<T>,
  labels: Readonly<Record<string, string>>,
  where: Where = {},
): Need<readonly T[]> {
  return {
    request: { type: "list", kind, labels, ...where },
    read: (answers) => answers.list(kind, labels, where.namespace),
  };
}

/**
 * A Secret whose values are generated once and read back ever after. Render still renders the Secret (as
 * `createOnly`, or managed when the user may set values); `rotate` names the keys that `apps.cozystack.io/rotate` makes anew,
 * default all of `values`.
 */
export function generatedSecret(
  name: string,
  values: Readonly<Record<string, Generator>>,
  options: { readonly rotate?: readonly string[] } = {},
): Need<GeneratedSecret> {
  return {
    request: { type: "generated", name, values, rotate: options.rotate ?? Object.keys(values) },
    read: (answers) => answers.generated(name),
  };
}

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `length` characters of A-Z, a-z, 0-9, each equally likely. */
export function alphanumeric(length: number): Generator {
  return (random) => {
    let text = "";
    while (text.length < length) {
      // 248 is the largest multiple of 62 below 256: bytes above it would favour the first letters.
      for (const byte of random(length)) if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62];
    }
    return text;
  };
}
