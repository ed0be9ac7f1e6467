/**
 * What a change of one field does to what already runs, per kind: data that `plan` reads.
 */

/**
 * How far a change reaches, mildest first:
 *
 * - `none`: nothing happens to what exists; the field is read only when the object is made.
 * - `inPlace`: taken up while running.
 * - `restarts`: processes restart, all at once or at their owner's next occasion.
 * - `rolls`: pods are replaced one after the other.
 * - `replaces`: the object itself must be deleted and made anew; the data it stands for is elsewhere or is kept.
 * - `deletes`: the object goes.
 * - `losesData`: data is gone afterwards.
 */
export type Impact = "none" | "inPlace" | "restarts" | "rolls" | "replaces" | "deletes" | "losesData";

const severity: Readonly<Record<Impact, number>> = {
  none: 0,
  inPlace: 1,
  restarts: 2,
  rolls: 3,
  replaces: 4,
  deletes: 5,
  losesData: 6,
};

/** The graver of two impacts. */
export function worse(a: Impact, b: Impact): Impact {
  return severity[a] >= severity[b] ? a : b;
}

/** An impact, or how it follows from the value before and after; undefined stands for an absent value. */
export type ImpactRule = Impact | ((before: unknown, after: unknown) => Impact);

/** The impact of each field of a kind. */
export interface ImpactRules {
  /** For every field that no rule names. Changes of `metadata` are `inPlace` unless a rule names them. */
  readonly otherwise: Impact;
  /** What deleting the object means; default `deletes`. `losesData` where users' data goes with it. */
  readonly deletion?: "deletes" | "losesData";
  /**
   * When it goes as its application is deleted. `first`: before the server that its operator needs to let it go. `last`: after
   * its server, so that the operator does not take out of a server what is kept on its volumes. `afterAll`: after everything
   * else, namespaces too: it confines what runs, which must not outlive it. Default: with all others.
   */
  readonly deleted?: "first" | "last" | "afterAll";
  /**
   * Annotations for an object that goes while its application's data stays: by them the operator leaves alone in the server
   * what the object stands for.
   */
  readonly letGo?: Readonly<Record<string, string>>;
  /** Fields, and what is below them, with what nobody should see: plans say that they differ, not how. Paths as in `at`. */
  readonly hidden?: readonly string[];
  /**
   * By path, segments joined by dots: `spec.template.spec`. A rule covers everything below it, `*` stands for any one
   * segment (an index or a key, dots included), and the rule with the most segments wins; among equals, the one with fewer `*`.
   */
  readonly at?: Readonly<Record<string, ImpactRule>>;
}

/** A rule for a number: another impact when it becomes less, or goes away. */
export function whenLess(less: Impact, otherwise: Impact): ImpactRule {
  return (before, after) =>
    typeof before === "number" && (typeof after !== "number" || after < before) ? less : otherwise;
}

function covers(pattern: readonly string[], path: readonly string[]): boolean {
  return pattern.length <= path.length && pattern.every((segment, at) => segment === "*" || segment === path[at]);
}

function precision(pattern: readonly string[]): number {
  return pattern.length * 2 - (pattern.includes("*") ? 1 : 0);
}

/** The impact of changing the field at `path` (object keys and list indexes) from `before` to `after`. */
export function impactOf(
  rules: ImpactRules,
  path: readonly (string | number)[],
  before: unknown,
  after: unknown,
): Impact {
  const segments = path.map(String);
  let best: { readonly precision: number; readonly rule: ImpactRule } | undefined;
  for (const [text, rule] of Object.entries(rules.at ?? {})) {
    const pattern = text.split(".");
    if (!covers(pattern, segments)) continue;
    if (best === undefined || precision(pattern) > best.precision) best = { precision: precision(pattern), rule };
  }
  if (best === undefined) return segments[0] === "metadata" ? "inPlace" : rules.otherwise;
  return typeof best.rule === "function" ? best.rule(before, after) : best.rule;
}
