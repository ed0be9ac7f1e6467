/**
 * Which tests name which features, from titles such as `... (features 3, 12 and 57)`.
 */

/** One test of a run. */
export interface Outcome {
  readonly title: string;
  readonly file: string;
  readonly outcome: string;
}

/** A test that names a feature; `not run` when the run knows nothing of it. */
export interface Claim {
  readonly title: string;
  readonly file: string;
  readonly outcome: string;
}

const numbersIn = (title: string): readonly number[] =>
  [...title.matchAll(/\bfeatures? (\d+(?:(?:, | and )\d+)*)/g)].flatMap(([, list = ""]) =>
    list.split(/, | and /).map(Number),
  );

/** What a title in the source may be when it runs: the parts in `${}` are any text. */
function pattern(title: string): RegExp {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    `^${title
      .split(/\$\{[^}]*\}/)
      .map(literal)
      .join("[^]*")}$`,
  );
}

/**
 * Claims by number of the feature: the titles that ran, and those in the sources that did not, so that a test which was not run
 * still shows. `sources`: texts of test files by path. A title may be made of parts, and the number may be in such a part.
 */
export function claimsOf(
  sources: ReadonlyMap<string, string>,
  outcomes: readonly Outcome[],
): ReadonlyMap<number, readonly Claim[]> {
  const found = new Map<number, Claim[]>();
  const claim = (made: Claim): void => {
    for (const number of numbersIn(made.title)) found.set(number, [...(found.get(number) ?? []), made]);
  };
  const byFile = Map.groupBy(outcomes, ({ file }) => file);
  for (const { title, file, outcome } of outcomes) claim({ title, file, outcome });
  for (const [file, source] of sources) {
    const ran = byFile.get(file) ?? [];
    for (const [, , title = ""] of source.matchAll(/\b(?:test|it|describe)\(\s*(["'`])((?:(?!\1)[^\\]|\\.)*)\1/g)) {
      const isPattern = pattern(title);
      if (!ran.some((one) => isPattern.test(one.title))) claim({ title, file, outcome: "not run" });
    }
  }
  return found;
}
