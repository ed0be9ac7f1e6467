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
  /** What becomes of the volumes of servers that go, by the path of their number, or of the item of a list that they are. */
  readonly fewer?: Readonly<Record<string, FewerRule>>;
}

/**
 * Volumes of servers that are no longer wanted: `stay` where they are, and are used again by servers of that number, or `go`
 * with their servers.
 */
export type VolumesOfFewer = "stay" | "go";

/** What becomes of them, or how it follows from the value after. */
type FewerRule = VolumesOfFewer | ((after: unknown) => VolumesOfFewer | undefined);

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

/** Of the rules by path, the one that says most exactly what holds at a path. */
function bestAt<T>(at: Readonly<Record<string, T>>, segments: readonly string[]): T | undefined {
  let best: { readonly precision: number; readonly rule: T } | undefined;
  for (const [text, rule] of Object.entries(at)) {
    const pattern = text.split(".");
    if (!covers(pattern, segments)) continue;
    if (best === undefined || precision(pattern) > best.precision) best = { precision: precision(pattern), rule };
  }
  return best?.rule;
}

/** The impact of changing the field at `path` (object keys and list indexes) from `before` to `after`. */
export function impactOf(
  rules: ImpactRules,
  path: readonly (string | number)[],
  before: unknown,
  after: unknown,
): Impact {
  const rule = bestAt(rules.at ?? {}, path.map(String));
  if (rule === undefined) return path[0] === "metadata" ? "inPlace" : rules.otherwise;
  return typeof rule === "function" ? rule(before, after) : rule;
}

/** What becomes of volumes when the field at `path` changes so that servers go; undefined where none goes, or none has any. */
export function volumesOfFewer(
  rules: ImpactRules,
  path: readonly (string | number)[],
  before: unknown,
  after: unknown,
): VolumesOfFewer | undefined {
  const isLess = after === undefined || (typeof before === "number" && typeof after === "number" && after < before);
  if (!isLess || before === undefined) return undefined;
  const rule = bestAt(rules.fewer ?? {}, path.map(String));
  return typeof rule === "function" ? rule(after) : rule;
}

/** Of an application whose user keeps its volumes: those of servers that go at these paths stay as well. */
export function keptVolumes(
  { reclaimPolicy }: { readonly reclaimPolicy: string },
  ...paths: readonly string[]
): Pick<ImpactRules, "fewer"> {
  return { fewer: reclaimPolicy === "Retain" ? Object.fromEntries(paths.map((path) => [path, "stay"])) : {} };
}

/** Rules with more exact ones, or other ones, of the object's maker. */
export function withRules(rules: ImpactRules, more: Pick<ImpactRules, "at" | "fewer"> = {}): ImpactRules {
  return { ...rules, at: { ...rules.at, ...more.at }, fewer: { ...rules.fewer, ...more.fewer } };
}
