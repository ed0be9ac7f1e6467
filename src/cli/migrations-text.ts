/**
 * Migrations for people: what a run would do, what it does, and what it did.
 */
import { nameText } from "../upgrade/migrations/errors.ts";
import type { MigrationPlan, MigrationsPlan } from "../upgrade/migrations/plan.ts";
import type { MigrationResult, MigrationRun, RunEvent } from "../upgrade/migrations/run.ts";
import { changeRows, shortName } from "./print-plan.ts";
import { table } from "./table.ts";
import type { Paint } from "./terminal.ts";

const changesIn = ({ steps }: MigrationPlan) => steps.flatMap(({ changes }) => changes);

/** Whether a run would write anything, the stamp included. */
export function worksToDo({ migrations, stamp, target }: MigrationsPlan): boolean {
  return stamp !== target || migrations.some((one) => changesIn(one).length > 0);
}

export function planNames({ migrations }: MigrationsPlan): readonly string[] {
  return [...new Set(migrations.flatMap(changesIn).map(({ object }) => shortName(object)))];
}

const none = "This cluster has no installation: there is nothing to migrate.";

export function planText(plan: MigrationsPlan, paint: Paint): string {
  const { stamp, target, migrations } = plan;
  if (stamp === undefined) return none;
  const lines = migrations.flatMap((one) => [...planLines(one, paint), ""]);
  const count = migrations.flatMap(changesIn).length;
  const end = stamp === target ? `The stamp stays ${stamp}.` : `The stamp goes from ${stamp} to ${target}.`;
  return [...lines, `${migrations.length} migrations are due, ${count} changes. ${end}`].join("\n");
}

function planLines(one: MigrationPlan, paint: Paint): readonly string[] {
  const { id, title, because, notApplicable, warnings, problem, steps } = one;
  const state =
    notApplicable !== undefined
      ? paint.dim(`nothing to do: ${notApplicable}`)
      : steps.length === 0 && problem === undefined
        ? paint.dim("nothing to do")
        : paint.dim(`due: ${because}`);
  return [
    `${paint.strong(String(id))} ${title}: ${state}`,
    ...warnings.map((text) => `  ${paint.warn("warning:")} ${text}`),
    ...(problem === undefined
      ? []
      : [`  ${paint.bad("refused:")} ${problem.message} (${problem.code})`, `    ${problem.remedy}`]),
    ...steps.flatMap((step) => [
      `  ${step.title}`,
      table(
        [],
        step.changes.flatMap((change) => changeRows(change, undefined, paint)),
      ),
    ]),
  ];
}

/** What a run says as it goes. */
export function eventLine(event: RunEvent, paint: Paint): readonly string[] {
  switch (event.is) {
    case "begins":
      return [`${event.id} ${event.title}`];
    case "warning":
      return [`  ${paint.warn("warning:")} ${event.text}`];
    case "step":
      return [`  ${event.title}: ${event.writes} to write`];
    case "ended":
      return endLines(event.result, paint);
  }
}

function endLines({ result, failures, problem }: MigrationResult, paint: Paint): readonly string[] {
  return [
    ...failures.map(
      ({ object, code, message }) => `  ${paint.bad("failed:")} ${nameText(object)}: ${message} (${code})`,
    ),
    ...(problem === undefined
      ? []
      : [`  ${paint.bad(`${result}:`)} ${problem.message} (${problem.code})`, `    ${problem.remedy}`]),
  ];
}

export function runNames({ migrations }: MigrationRun): readonly string[] {
  return [...new Set(migrations.flatMap(({ changes }) => changes.map(({ object }) => shortName(object))))];
}

export function runText({ stamp, outcome, migrations }: MigrationRun, paint: Paint): string {
  if (stamp === undefined) return none;
  const rows = migrations.map(({ id, title, result, changes }) => [
    String(id),
    result === "failed" ? paint.bad(result) : result === "incomplete" ? paint.warn(result) : paint.good(result),
    changes.length === 0 ? "" : `${changes.length} written`,
    title,
  ]);
  const ends = {
    done: `Everything is migrated; the stamp is ${stamp.to}.`,
    incomplete: `Some objects failed; the next run tries them again. The stamp is ${stamp.to}.`,
    failed: `Stopped; the stamp is ${stamp.to}. Mend what is named above, and begin again: it goes on from here.`,
  } as const;
  const said = rows.length === 0 ? [] : [table(["MIGRATION", "RESULT", "", "WHAT"], rows)];
  return [...said, ends[outcome]].join("\n");
}
