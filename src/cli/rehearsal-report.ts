/**
 * What a rehearsal came to, for people.
 */
import { type Impact, worse } from "../contracts/impact.ts";
import {
  type AppEffect,
  impactWords,
  isTouched,
  type PoolEffect,
  unitsOf,
  unitText,
} from "../upgrade/effects/effect.ts";
import type { Rehearsal } from "../upgrade/rehearse/rehearse.ts";
import { inTheWay } from "../upgrade/run/in-the-way.ts";
import { objectText, shortName } from "./print-plan.ts";
import { oneLine, span, table } from "./table.ts";
import type { Paint } from "./terminal.ts";

/** Every application that something happens to. */
export function namesOf(effects: readonly AppEffect[]): readonly string[] {
  return effects.filter(isTouched).map(({ app }) => `${app.namespace ?? ""}/${shortName(app)}`);
}

const painted: Readonly<Record<Impact, keyof Paint>> = {
  none: "dim",
  inPlace: "good",
  restarts: "warn",
  rolls: "warn",
  replaces: "warn",
  deletes: "bad",
  losesData: "bad",
};

/** The whole report. */
export function rehearsalText(rehearsal: Rehearsal, paint: Paint): string {
  const { effects, copied } = rehearsal;
  return [
    effectsText(effects, paint),
    "",
    ...checkLines(rehearsal, paint),
    ...migrationLines(rehearsal, paint),
    `Seen on a copy of ${copied.objects} objects in ${span(rehearsal.seconds * 1000)}, where operators and machines are simulated: times are estimates.`,
    ...(rehearsal.settled
      ? []
      : [paint.warn("Not everything came to rest: what is listed is what happened until then.")]),
  ].join("\n");
}

/** What happens, or happened, to applications. */
export function effectsText(effects: readonly AppEffect[], paint: Paint): string {
  const touched = effects.filter(isTouched);
  const tenants = Map.groupBy(touched, ({ tenant }) => tenant);
  const rows = [...tenants].sort(([a], [b]) => a.localeCompare(b)).flatMap(([tenant, of]) => rowsOf(tenant, of, paint));
  return [
    ...(rows.length === 0 ? [] : [table(["TENANT", "APPLICATION", "WHAT", "", "TIME"], rows), ""]),
    ...blockedLines(touched, paint),
    summaryLine(effects, paint),
  ].join("\n");
}

function rowsOf(tenant: string, effects: readonly AppEffect[], paint: Paint): readonly (readonly string[])[] {
  return effects.map((effect, at) => {
    const { app, impact, pools, changes, blocked, seconds } = effect;
    const word = paint[painted[impact]](impactWords[impact]);
    const what = blocked === undefined || impact !== "none" ? word : paint.bad("blocked");
    const reason = changes.find((change) => change.impact === impact)?.because ?? changes[0]?.because ?? "";
    return [
      at === 0 ? tenant : "",
      `${app.kind} ${app.name}`,
      what,
      oneLine(pools.length === 0 ? reason : pools.map((pool) => poolText(pool, app.namespace)).join(", ")),
      seconds === 0 ? "" : span(seconds * 1000),
    ];
  });
}

function poolText({ object, what, count }: PoolEffect, home: string | undefined): string {
  return `${unitText(what, count)} of ${objectText(object, home)}`;
}

function blockedLines(effects: readonly AppEffect[], paint: Paint): readonly string[] {
  const lines = effects.flatMap(({ app, blocked, wasReady }) => {
    if (blocked === undefined) return [];
    const before = wasReady ? "" : paint.dim(" (not ready before either)");
    const head = `  ${app.kind} ${app.namespace ?? ""}/${app.name}: ${blocked.reason}: ${oneLine(blocked.message)}${before}`;
    return blocked.remedy === undefined ? [head] : [head, `    ${oneLine(blocked.remedy)}`];
  });
  return lines.length === 0 ? [] : [paint.bad("Would not get through:"), ...lines, ""];
}

function checkLines({ checks }: Rehearsal, paint: Paint): readonly string[] {
  const stopping = inTheWay(checks);
  if (stopping.length === 0) return [];
  const names = stopping.map(({ id, title }) => `${id} (${title})`).join(", ");
  const what = checks.standing === "couldNotTell" ? "Some checks could not tell" : "Checks are in the way";
  return [paint.bad(`${what}: ${names}.`), "  `cozystack upgrade check` says what and how it is mended.", ""];
}

function migrationLines({ migrations: { outcome, migrations, refused } }: Rehearsal, paint: Paint): readonly string[] {
  if (refused !== undefined)
    return [paint.bad(`No migration could begin: ${refused.message}.`), `  ${refused.remedy}`, ""];
  const done = migrations.filter(({ changes }) => changes.length > 0);
  const lines = done.map(({ id, title, changes }) => `Migration ${id} (${title}) writes ${changes.length} objects.`);
  const failed = migrations.filter(({ problem, failures }) => problem !== undefined || failures.length > 0);
  const problems = failed.map(({ id, title, problem, failures }) =>
    paint.bad(
      `Migration ${id} (${title}) does not get through: ${problem?.message ?? failures[0]?.message ?? outcome}`,
    ),
  );
  return lines.length + problems.length === 0 ? [] : [...lines, ...problems, ""];
}

function summaryLine(effects: readonly AppEffect[], paint: Paint): string {
  const counts = Map.groupBy(effects, ({ impact }) => impact);
  const parts = (["losesData", "deletes", "replaces", "rolls", "restarts", "inPlace", "none"] as const).flatMap(
    (impact) => {
      const count = counts.get(impact)?.length ?? 0;
      return count === 0 ? [] : [`${count} ${impactWords[impact]}`];
    },
  );
  const units = Object.entries(unitsOf(effects)).map(([what, count]) => `${count} ${what}`);
  const worst = effects.reduce<Impact>((one, { impact }) => worse(one, impact), "none");
  const line = `${effects.length} applications: ${parts.join(", ")}${units.length === 0 ? "" : `; gone or replaced: ${units.join(", ")}`}.`;
  return worst === "none" ? paint.good(line) : line;
}
