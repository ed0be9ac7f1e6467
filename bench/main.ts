/**
 * Measurements: `npm run bench -- [NAME...] [--quick] [--json FILE]`. Prints a table with targets and the committed
 * baseline. Nothing asserts a timing: a person compares.
 */
import { parseArgs } from "node:util";
import { explainWhenAsked } from "../scripts/usage.ts";
import { type Figure, printFigures, type Scenario, writeFigures } from "./figure.ts";

explainWhenAsked(import.meta.filename);

/** Those in the first part run when none is named. */
const usual: Readonly<Record<string, () => Promise<{ readonly run: Scenario }>>> = {
  applications: async () => ({ run: (await import("./scenario-applications.ts")).hundreds }),
  thousand: async () => ({ run: (await import("./scenario-applications.ts")).thousand }),
  kinds: () => import("./scenario-kinds.ts"),
  playing: () => import("./scenario-playing.ts"),
  render: () => import("./scenario-render.ts"),
  start: () => import("./scenario-start.ts"),
};
const others: typeof usual = {
  client: () => import("./client.ts"),
  gate: async () => ({ run: (await import("./tenancy.ts")).gate }),
  fleet: () => import("./scenario-fleet.ts"),
  "security-groups": () => import("./security-groups.ts"),
  store: () => import("./store.ts"),
  tenancy: () => import("./tenancy.ts"),
  upgrade: () => import("./scenario-upgrade.ts"),
  views: () => import("./scenario-views.ts"),
};
const scenarios = { ...usual, ...others };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "string" }, quick: { type: "boolean", default: false } },
});
const unknown = positionals.filter((name) => scenarios[name] === undefined);
if (unknown.length > 0) {
  console.error(`no measurement ${unknown.join(", ")}; there are ${Object.keys(scenarios).join(", ")}`);
  process.exitCode = 2;
} else {
  const all: Figure[] = [];
  for (const name of positionals.length > 0 ? positionals : Object.keys(usual)) {
    console.error(`${name}:`);
    const scenario = await scenarios[name]?.();
    const figures = await scenario?.run({ quick: values.quick, log: (line) => console.error(`  ${line}`) });
    if (figures === undefined || figures.length === 0) continue;
    printFigures(figures);
    all.push(...figures);
    if (values.json !== undefined) writeFigures(values.json, all);
  }
}
