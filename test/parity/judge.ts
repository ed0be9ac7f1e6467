/**
 * The verdict on one case: rendered, compared, with what is declared taken out.
 */
import type { UnknownObject } from "../../src/kube/object.ts";
import type { App } from "../../src/sdk/app.ts";
import type { ParityCase } from "./case.ts";
import { compareCase, keyOfObject } from "./compare.ts";
import type { Difference } from "./compare-objects.ts";
import { applies, type Deviation, explain, keyExpression } from "./deviation.ts";
import { type Outcome, renderCase } from "./render-case.ts";

export interface Verdict {
  readonly case: ParityCase;
  readonly passed: boolean;
  /** What is wrong with the case as a whole. */
  readonly problem?: string;
  readonly differences: readonly Difference[];
  readonly used: ReadonlySet<Deviation>;
}

/** Whether the API server refuses the application object of a case; undefined when there is none to ask. */
export type AskServer = (testCase: ParityCase, app: App) => Promise<boolean | undefined>;

function problemOf(
  testCase: ParityCase,
  outcome: Outcome,
): { readonly text: string; readonly outcome: "accepts" | "refuses" | "waits" } | undefined {
  if (outcome.is === "waits") return { text: `waits for ${outcome.on}`, outcome: "waits" };
  if (testCase.expectError === undefined) {
    return outcome.is === "refused"
      ? { text: `refused, ${outcome.code}: ${outcome.message}`, outcome: "refuses" }
      : undefined;
  }
  return outcome.is === "refused"
    ? undefined
    : { text: `must be refused: ${testCase.expectError}`, outcome: "accepts" };
}

/** The deviation by which a required object that the case lacks is taken to exist. */
export function assumedBy(
  deviations: readonly Deviation[],
  testCase: ParityCase,
  object: UnknownObject,
): Deviation | undefined {
  const key = keyOfObject(object, testCase.release.namespace);
  return deviations.find(
    (one) => "assumes" in one && applies(one, testCase) && keyExpression(one.assumes, testCase).test(key),
  );
}

/** Renders and compares a case. A throw of the application is a failed case, not an end of the run. */
export async function judge(
  testCase: ParityCase,
  app: App,
  deviations: readonly Deviation[],
  askServer: AskServer = async () => undefined,
): Promise<Verdict> {
  const fail = (problem: string): Verdict => ({
    case: testCase,
    passed: false,
    problem,
    differences: [],
    used: new Set(),
  });
  const assumption = (object: UnknownObject) => assumedBy(deviations, testCase, object);
  let outcome: Outcome;
  try {
    outcome = renderCase(testCase, app, (object) => assumption(object) !== undefined);
  } catch (error) {
    return fail(`the application threw: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  const problem = problemOf(testCase, outcome);
  if (problem !== undefined) {
    const declared = deviations.find(
      (one) =>
        "outcome" in one &&
        one.outcome === problem.outcome &&
        applies(one, testCase) &&
        (one.outcome !== "waits" || testCase.expectError !== undefined || typeof one.cases !== "string"),
    );
    if (declared !== undefined) {
      return { case: testCase, passed: true, differences: [], used: new Set([declared]) };
    }
    if (problem.outcome === "accepts" && (await askServer(testCase, app)) === true) {
      return { case: testCase, passed: true, differences: [], used: new Set() };
    }
    return fail(problem.text);
  }
  if (outcome.is !== "rendered") return { case: testCase, passed: true, differences: [], used: new Set() };

  const renamed = (key: string): RegExp | undefined => {
    for (const one of deviations) {
      if ("renamed" in one && applies(one, testCase) && keyExpression(one.object, testCase).test(key)) {
        return keyExpression(one.renamed, testCase);
      }
    }
    return undefined;
  };
  const objects = outcome.manifests.map((manifest) => manifest.object);
  const { left, used } = explain(compareCase(testCase, objects, renamed), deviations, testCase);
  const assumed = outcome.assumed.flatMap((object) => assumption(object) ?? []);
  return { case: testCase, passed: left.length === 0, differences: left, used: new Set([...used, ...assumed]) };
}

/**
 * Declared deviations that did not occur where they must. `judged` are the cases that ran; a deviation of `all` cases is
 * asked for only when `complete`, that is when all cases of the suite's own directory ran.
 */
export function stale(
  deviations: readonly Deviation[],
  judged: readonly Verdict[],
  complete: boolean,
): readonly string[] {
  return deviations.flatMap((deviation) => {
    const occurred = judged.filter((verdict) => verdict.used.has(deviation)).map((verdict) => verdict.case.case);
    if (deviation.cases === "unseen") {
      const seen = complete ? occurred : [];
      return seen.map((name) => `${deviation.reason} (declared as unseen, but shown by ${name})`);
    }
    if (deviation.cases === "all") return complete && occurred.length === 0 ? [`${deviation.reason} (in no case)`] : [];
    const silent = deviation.cases.filter(
      (name) => judged.some((verdict) => verdict.case.case === name) && !occurred.includes(name),
    );
    const unknown = complete
      ? deviation.cases.filter((name) => !judged.some((verdict) => verdict.case.case === name))
      : [];
    return [...silent, ...unknown].map((name) => `${deviation.reason} (in ${name})`);
  });
}
