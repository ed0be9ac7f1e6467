/**
 * docs/upgrade-migrations.md: every migration, from the program.
 */

import { migrations } from "../src/upgrade/migrations/index.ts";
import type { Migration, OnFailure } from "../src/upgrade/migrations/migration.ts";

const cell = (text: string) => text.replaceAll("|", "\\|");
const upper = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const failure: Readonly<Record<OnFailure, string>> = { closed: "stops", open: "goes on" };

function failsText({ reads, writes }: Migration["fails"]): string {
  if (reads === writes) return failure[reads];
  return `a read ${failure[reads]}, a write ${failure[writes]}`;
}

const onceText = ({ is, because }: Migration["onceDone"]) =>
  `${is === "looksAgain" ? "looks again" : "never again"}: ${because}`;

export function migrationsPage(): string {
  return [
    "# Migrations",
    "",
    "Made from the program by `npm run docs`. How they are run, and what holds of all of them: [Upgrade](upgrade.md#migrations).",
    "",
    "Migration N takes an installation from stamp N to stamp N + 1. When something fails: `stops` ends the run, `goes on` leaves the migration recorded as incomplete, to be tried again by the next run.",
    "",
    "| N | What it does | Where | Without it | When something fails | Where the stamp says that it was done |",
    "|---|---|---|---|---|---|",
    ...migrations.map(({ id, title, where, why, fails, hatch, onceDone }) => {
      const around = hatch === undefined ? "" : `; ${hatch}`;
      const cells = [title, where, why, `${failsText(fails)}${around}`, onceText(onceDone)].map(upper).map(cell);
      return `| ${id} | ${cells.join(" | ")} |`;
    }),
    "",
    ...migrations
      .filter(({ steps }) => steps.length > 1)
      .flatMap(({ id, title, steps, afterwards }) => [
        `## ${id}: ${title}`,
        "",
        ...steps.map((step, index) => `${index + 1}. ${upper(step.title)}.`),
        ...(afterwards === undefined ? [] : ["", `Afterwards, however it ended: ${afterwards.title}.`]),
        "",
      ]),
  ].join("\n");
}
