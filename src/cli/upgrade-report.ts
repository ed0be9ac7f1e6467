/**
 * What the checks of an upgrade found, for people.
 */
import type { Finding } from "../upgrade/checks/check.ts";
import type { CheckResult, Report } from "../upgrade/checks/run.ts";
import type { Path } from "../upgrade/path.ts";
import { objectText, shortName } from "./print-plan.ts";
import { table } from "./table.ts";
import type { Paint } from "./terminal.ts";

/** Objects of a check that are shown; the rest is counted, and is in the other formats. */
const shown = 20;

/** All objects that findings name, each once. */
export function namesOf({ checks }: Report): readonly string[] {
  return [...new Set(checks.flatMap(({ findings }) => findings.map(({ object }) => shortName(object))))];
}

/** The whole report. */
export function reportText(report: Report, paint: Paint): string {
  const rows = report.checks.map((check) => [check.id, verdictText(check, paint), check.title, countText(check)]);
  const details = report.checks.flatMap((check) => {
    const lines = detailLines(check, paint);
    return lines.length === 0 ? [] : ["", ...lines];
  });
  return [
    table(["CHECK", "VERDICT", "", ""], rows),
    ...details,
    ...(report.path === undefined ? [] : ["", ...pathLines(report.path, report.to, paint)]),
    "",
    endText(report, paint),
  ].join("\n");
}

function worstOf({ findings }: CheckResult): Finding["severity"] {
  if (findings.some(({ severity }) => severity === "blocking")) return "blocking";
  return findings.some(({ severity }) => severity === "warning") ? "warning" : "information";
}

function verdictText(check: CheckResult, paint: Paint): string {
  switch (check.verdict) {
    case "pass":
      return paint.good("pass");
    case "notApplicable":
      return paint.dim("not applicable");
    case "couldNotTell":
      return paint.bad("could not tell");
    case "fail":
      return failText[worstOf(check)](paint);
  }
}

const failText: Readonly<Record<Finding["severity"], (paint: Paint) => string>> = {
  blocking: (paint) => paint.bad("fail: blocks"),
  warning: (paint) => paint.warn("fail: warning"),
  information: () => "fail: to know",
};

const countText = ({ findings }: CheckResult): string =>
  findings.length === 0 ? "" : findings.length === 1 ? "1 object" : `${findings.length} objects`;

function detailLines(check: CheckResult, paint: Paint): readonly string[] {
  const { id, title, why, findings, unread, notes, verdict } = check;
  if (verdict !== "fail" && verdict !== "couldNotTell" && notes.length === 0) return [];
  const left = findings.length - shown;
  return [
    `${paint.strong(`${id} ${title}`)}${verdict === "pass" ? "" : `: ${why}`}`,
    ...unread.map(({ what, problem }) => `  ${paint.bad("could not read")} ${what}: ${problem}`),
    ...findings.slice(0, shown).flatMap((finding) => findingLines(finding, paint)),
    ...(left > 0 ? [`  and ${left} more: -o json has all`] : []),
    ...notes.map((note) => `  ${paint.dim("note:")} ${note}`),
  ];
}

function findingLines({ object, severity, what, remedy }: Finding, paint: Paint): readonly string[] {
  const mark = severity === "blocking" ? paint.bad(severity) : severity === "warning" ? paint.warn(severity) : severity;
  return [
    `  ${mark}  ${objectText(object, undefined)}: ${what}`,
    ...remedy.map((line) => `    ${paint.dim("->")} ${line}`),
  ];
}

function pathLines({ steps, refusals }: Path, to: string, paint: Paint): readonly string[] {
  if (refusals.length > 0) return [`${paint.strong("Path")}: there is none to ${to}; see P1 and P2.`];
  if (steps.length === 0) return [`${paint.strong("Path")}: it is at ${to} already.`];
  return [
    paint.strong("Path"),
    ...steps.flatMap(({ from, to: next, by, slots, reasons }) => [
      `  ${from} -> ${next}${by === "upstream" ? " (with the tools of the installed version)" : ""}${slotsText(slots)}`,
      ...reasons.map((reason) => `    ${reason}`),
    ]),
  ];
}

function slotsText(slots: readonly number[]): string {
  const [first] = slots;
  if (first === undefined) return "";
  return slots.length === 1 ? `, migration ${first}` : `, migrations ${first} to ${slots.at(-1)}`;
}

function endText({ standing, checks }: Report, paint: Paint): string {
  const failing = checks.filter((check) => check.verdict === "fail" && worstOf(check) !== "information").length;
  const untold = checks.filter(({ verdict }) => verdict === "couldNotTell").length;
  switch (standing) {
    case "clean":
      return paint.good("Nothing stands in the way of the upgrade.");
    case "failing":
      return paint.bad(`${failing} of ${checks.length} checks fail. Mend what they name, and check again.`);
    case "couldNotTell":
      return paint.bad(
        `${untold} of ${checks.length} checks could not tell, ${failing} fail. Nothing above is a whole answer: see to it that everything can be read, and check again.`,
      );
  }
}
