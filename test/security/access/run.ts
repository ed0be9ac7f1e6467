/**
 * `npm run matrix [-- --of N --part N]`: every cell of the access matrix, or each N-th. Prints the cells that differ from the
 * table, and ends with `N passed, N failed`; exit code 1 when one failed.
 */
import { parseArgs } from "node:util";
import { explainWhenAsked } from "../../../scripts/usage.ts";
import { securityCluster } from "../support/cluster.ts";
import { cellName, openMatrix, shareOf } from "./matrix.ts";

explainWhenAsked(import.meta.filename);

const { values } = parseArgs({
  options: { of: { type: "string", default: "1" }, part: { type: "string", default: "0" } },
});
const ends: (() => Promise<void>)[] = [];
try {
  const cluster = await securityCluster((end) => ends.push(end));
  ends.unshift(() => cluster.stopControllers());
  await cluster.stopControllers();
  const matrix = await openMatrix(cluster);
  ends.unshift(() => matrix.close());
  const cells = shareOf(matrix.cells, Number(values.of), Number(values.part));
  const started = performance.now();
  const results = await matrix.run(cells, ({ cell, passed, tried }) => {
    if (passed) return;
    const expected = cell.expected ? "should be allowed" : "should be refused";
    console.log(`${cellName(cell)}: ${expected}; ${tried.status} ${tried.outcome}: ${tried.text.slice(0, 300)}`);
  });
  const failed = results.filter(({ passed }) => !passed).length;
  const allowed = results.filter(({ cell }) => cell.expected).length;
  const seconds = Math.round((performance.now() - started) / 1000);
  console.log(`${results.length} cells in ${seconds} s, ${allowed} of them allowed`);
  console.log(`${results.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  for (const end of ends) await end();
}
