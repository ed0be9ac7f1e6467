/**
 * Measurements: `npm run bench -- NAME`. Each prints a table; a person compares, nothing asserts a timing.
 */
const scenarios: Readonly<Record<string, () => Promise<{ run(): Promise<void> }>>> = {
  client: () => import("./client.ts"),
  store: () => import("./store.ts"),
};

const [name = ""] = process.argv.slice(2);
const scenario = scenarios[name];
if (scenario === undefined) {
  console.error(`usage: npm run bench -- ${Object.keys(scenarios).join(" | ")}`);
  process.exitCode = 2;
} else {
  await (await scenario()).run();
}
