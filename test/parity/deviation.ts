/**
 * Deviations from upstream that are on purpose: how they are declared, and which differences they account for.
 */
import type { Difference, DifferenceKind } from "./compare-objects.ts";
import { covers } from "./pointer.ts";

/** Why upstream and we differ; docs/deviations.md is ordered by it. */
export const classes = {
  hook: "A Helm hook's objects are left out: the controller does their work by API calls.",
  module: "A tenant module is a child object of its own kind; upstream had a HelmRelease of that name.",
  contentJob: "Work beside the data is a Job named by its content, run once; upstream re-ran a fixed Job.",
  innerRelease: "What upstream installed as a second, inner release is rendered directly.",
  fault: "A plain fault of upstream is put right.",
  design: "The design differs on purpose.",
} as const satisfies Record<string, string>;

export type DeviationClass = keyof typeof classes;

interface Declared {
  readonly class: DeviationClass;
  /**
   * Names of the cases where it must occur; `all`: it may occur in any, and must in one; `unseen`: it may occur in any, but
   * none of the suite's own cases shows it, so that `test` has to.
   */
  readonly cases: "all" | "unseen" | readonly string[];
  /** Which values, or what else of a case, it is about. Absent: any. An outcome for `all` or `unseen` cases needs it. */
  readonly when?: (values: unknown, testCase: CaseNames) => boolean;
  /** For the reader of docs/deviations.md: what differs and why that is better, or harmless. */
  readonly reason: string;
  /** Title of the test that proves what is claimed; needed for `hook` and for `unseen`. */
  readonly test?: string;
}

/**
 * Objects are named by a pattern `apiVersion/Kind/name`: `batch/v1/Job/{release}-init-job`. `{release}` and `{namespace}`
 * are the case's, `*` is any text without a slash.
 */
type ObjectPattern = string;

/** Differing fields of objects, or whole objects that only one side has. */
export interface FieldDeviation extends Declared {
  readonly object: ObjectPattern;
  /** JSON pointer, `*` for any one segment; covers everything below it. Absent: the object as a whole. */
  readonly at?: string;
  readonly only?: DifferenceKind;
  /** What we render there instead, where one value holds in all cases. */
  readonly becomes?: unknown;
}

/**
 * Objects of upstream that others stand for. Counts only in cases where each of the patterns is met, and so needs exact names:
 * with a `*` one of several could be lost unseen.
 */
export interface ReplacedDeviation extends Declared {
  readonly replaced: readonly ObjectPattern[];
  readonly by: readonly ObjectPattern[];
}

/** An object with another name: it is compared with upstream's all the same. */
export interface RenamedDeviation extends Declared {
  readonly object: ObjectPattern;
  readonly renamed: ObjectPattern;
}

/** Another outcome than the case has, as a whole. */
export interface OutcomeDeviation extends Declared {
  /**
   * `accepts`: upstream refuses; `refuses`: upstream renders; `waits`: we wait for an object without which upstream fails. Where
   * upstream renders without it, `waits` needs the cases by name: nothing of them is compared.
   */
  readonly outcome: "accepts" | "refuses" | "waits";
}

/**
 * Objects that we insist on and upstream never looks at: where a case lacks one it is taken to exist, with nothing but its
 * name, and the render is compared as usual.
 */
export interface AssumedDeviation extends Declared {
  readonly assumes: ObjectPattern;
}

/** Edits of a specification, by its fields, that upstream let through without effect. A render shows none: `cases` is `unseen`. */
export interface EditDeviation extends Declared {
  readonly edits: readonly string[];
}

export type Deviation =
  | EditDeviation
  | FieldDeviation
  | AssumedDeviation
  | ReplacedDeviation
  | RenamedDeviation
  | OutcomeDeviation;

/** What the deviations of an application leave unexplained, and which of them occurred. */
export interface Explained {
  readonly left: readonly Difference[];
  readonly used: ReadonlySet<Deviation>;
}

export interface CaseNames {
  readonly case: string;
  readonly values?: unknown;
  /** What the tenant hands down. */
  readonly namespace?: Readonly<Record<string, string>>;
  readonly release: { readonly name: string; readonly namespace: string };
}

export function applies(deviation: Deviation, testCase: CaseNames): boolean {
  const { cases, when = () => true } = deviation;
  return (typeof cases === "string" || cases.includes(testCase.case)) && when(testCase.values, testCase);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** The regular expression of a pattern over `apiVersion/Kind/name`. */
function expression(pattern: ObjectPattern, testCase: CaseNames): string {
  return pattern
    .replaceAll("{release}", testCase.release.name)
    .replaceAll("{namespace}", testCase.release.namespace)
    .split("*")
    .map(literal)
    .join("[^/]*");
}

/** The regular expression of a pattern over an object's key, whatever its namespace. */
export function keyExpression(pattern: ObjectPattern, testCase: CaseNames): RegExp {
  const name = pattern.lastIndexOf("/");
  const [kind, named] = [pattern.slice(0, name), pattern.slice(name + 1)].map((part) => expression(part, testCase));
  return new RegExp(`^${kind}/[^/]*/${named}$`);
}

function matchesField(deviation: FieldDeviation, difference: Difference, testCase: CaseNames): boolean {
  if (!keyExpression(deviation.object, testCase).test(difference.object)) return false;
  if (deviation.only !== undefined && deviation.only !== difference.kind) return false;
  if (deviation.at === undefined ? difference.pointer !== "" : !covers(deviation.at, difference.pointer)) return false;
  if (deviation.at !== undefined && difference.pointer === "") return false;
  return deviation.becomes === undefined || JSON.stringify(deviation.becomes) === JSON.stringify(difference.actual);
}

function claims(deviation: Deviation, differences: readonly Difference[], testCase: CaseNames): readonly Difference[] {
  if ("outcome" in deviation || "assumes" in deviation || "edits" in deviation) return [];
  if ("renamed" in deviation) {
    const key = keyExpression(deviation.object, testCase);
    return differences.filter((one) => one.pointer === "/metadata/name" && key.test(one.object));
  }
  if ("replaced" in deviation) {
    const whole = (kind: DifferenceKind) => differences.filter((one) => one.kind === kind && one.pointer === "");
    const meet = (patterns: readonly string[], among: readonly Difference[]) =>
      patterns.map((pattern) => {
        const key = keyExpression(pattern, testCase);
        return among.filter((one) => key.test(one.object));
      });
    const groups = [...meet(deviation.replaced, whole("missing")), ...meet(deviation.by, whole("extra"))];
    return groups.every((group) => group.length > 0) ? groups.flat() : [];
  }
  return differences.filter((one) => matchesField(deviation, one, testCase));
}

/** Takes the declared ones out of the differences of a case. */
export function explain(
  differences: readonly Difference[],
  deviations: readonly Deviation[],
  testCase: CaseNames,
): Explained {
  const used = new Set<Deviation>();
  const explained = new Set<Difference>();
  for (const deviation of deviations) {
    if (!applies(deviation, testCase)) continue;
    for (const difference of claims(deviation, differences, testCase)) {
      used.add(deviation);
      explained.add(difference);
    }
  }
  return { left: differences.filter((difference) => !explained.has(difference)), used };
}

/** A HelmRelease of a tenant module and the child object that stands for it. */
export function moduleDeviation(release: string, kind: string, group = "apps.cozystack.io"): ReplacedDeviation {
  return {
    class: "module",
    cases: "all",
    replaced: [`helm.toolkit.fluxcd.io/v2/HelmRelease/${release}`],
    by: [`${group}/v1alpha1/${kind}/${release}`],
    reason: `The module ${release} is an object of kind ${kind} with the name of upstream's release.`,
  };
}
