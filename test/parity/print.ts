/**
 * How differences are shown.
 */
import type { Difference } from "./compare-objects.ts";

const WIDTH = 400;

function show(value: unknown, verbose: boolean): string {
  const text = JSON.stringify(value) ?? "nothing";
  return verbose || text.length <= WIDTH ? text : `${text.slice(0, WIDTH)}… (${text.length} characters)`;
}

function lines(difference: Difference, verbose: boolean): readonly string[] {
  const { pointer, kind, expected, actual, why } = difference;
  if (pointer === "") {
    const value = kind === "missing" ? expected : actual;
    return [
      kind === "missing" ? "  - not rendered" : "  + rendered without need",
      ...(verbose ? [`    ${show(value, true)}`] : []),
    ];
  }
  const remark = why === undefined ? "" : `  (${why})`;
  if (kind === "missing") return [`  - ${pointer}: ${show(expected, verbose)}`];
  if (kind === "extra") return [`  + ${pointer}: ${show(actual, verbose)}`];
  return [`  ~ ${pointer}${remark}`, `      case: ${show(expected, verbose)}`, `      ours: ${show(actual, verbose)}`];
}

/** Differences as text, grouped by object: `-` only in the case, `+` only in ours, `~` differs. */
export function formatDifferences(differences: readonly Difference[], verbose: boolean): string {
  const byObject = Map.groupBy(differences, (difference) => difference.object);
  return [...byObject]
    .flatMap(([object, own]) => [object, ...own.flatMap((difference) => lines(difference, verbose))])
    .map((line) => `    ${line}`)
    .join("\n");
}
