import assert from "node:assert/strict";
import { after, test } from "node:test";
import { isApiError } from "../../src/kube/errors.ts";
import { formatAmounts } from "../../src/tenancy/quota/amounts.ts";
import { Tenant } from "../../src/tenancy/quota/tenant-kind.ts";
import { eventually } from "../support/eventually.ts";
import { gatedEngine } from "./gated-engine.ts";
import { judgeRevisions } from "./revisions.ts";
import { random } from "./turns.ts";

/** `npm run budget` sets ten times as many. */
const OPERATIONS = Number(process.env["COZYSTACK_BUDGET_OPERATIONS"] ?? 1_000);
const WORKERS = 8;
const NAMES = ["a", "b"];
const RESOURCES = ["cpu", "memory", "nvidia.com/gpu"];

const gated = await gatedEngine();
const { admin, root } = gated;
const draw = random(Number(process.env["COZYSTACK_BUDGET_SEED"] ?? 7));
const below = (count: number): number => Math.floor(draw() * count);
const pick = <T>(list: readonly [T, ...T[]]): T => list[below(list.length)] ?? list[0];

const ancestors = new Map<string, readonly string[]>([[root, ["tenant-root"]]]);
for (const [namespace, above] of ancestors) {
  if (above.length > 2) continue;
  for (const name of NAMES) ancestors.set(await gated.place(name, namespace), [...above, namespace]);
}
const [first = root, ...more] = ancestors.keys();

const quotas = (): Readonly<Record<string, number>> => {
  const most = pick([2, 6, 20]);
  return Object.fromEntries(RESOURCES.filter(() => below(2) === 0).map((resource) => [resource, 1 + below(most)]));
};

const counts = { stored: 0, refused: 0, lost: 0 };

/** One thing that somebody does to some tenant. */
async function act(): Promise<void> {
  const namespace = pick([first, ...more]);
  const name = pick(["a", "b"]);
  const dice = below(100);
  try {
    if (dice < 40) await admin.create(Tenant, Tenant(name, { namespace, spec: { resourceQuotas: quotas() } }));
    else if (dice < 75) {
      const replaced = [{ op: "add", path: "/spec/resourceQuotas", value: quotas() }] as const;
      await admin.jsonPatch(Tenant, name, namespace, replaced);
    } else if (dice < 80) {
      await admin.mergePatch(Tenant, name, namespace, { metadata: { annotations: { touched: `${draw()}` } } });
    } else if (dice < 85) {
      await admin.create(Tenant, Tenant(name, { namespace, spec: { resourceQuotas: quotas() } }), { dryRun: true });
    } else await admin.delete(Tenant, name, namespace);
    counts.stored += 1;
  } catch (error) {
    if (isApiError(error, "Invalid")) counts.refused += 1;
    else if (isApiError(error, "AlreadyExists", "NotFound", "Conflict")) return;
    // Somebody killed the gate under it, or refused what it had let through.
    else if (isApiError(error)) counts.lost += 1;
    else throw error;
  }
}

test(`${OPERATIONS} random operations over a random tree, two gates, kills, writes lost: no revision over budget, nothing leaked`, async () => {
  const stop = new AbortController();
  after(() => stop.abort());
  const revisions = await judgeRevisions(admin, (namespace) => ancestors.get(namespace), stop.signal);
  gated.lose(0.15);
  let left = OPERATIONS;
  let killing: Promise<void> = Promise.resolve();
  let kills = 0;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      if (left % 100 === 50) {
        const index = below(2) === 0 ? 0 : 1;
        killing = killing.then(() => gated.kill(index));
        kills += 1;
      }
      await act();
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  await killing;
  gated.lose(0);
  await revisions.caughtUp();
  console.log(JSON.stringify({ ...counts, kills, revisions: revisions.count }));
  assert.deepEqual(revisions.exceeded, []);
  assert.ok(
    counts.refused > OPERATIONS / 20 && counts.stored > OPERATIONS / 5 && counts.lost > 0,
    JSON.stringify(counts),
  );
  const actual = [...revisions.rows]
    .filter(([, { stored }]) => (stored?.amounts.size ?? 0) > 0)
    .map(([owns, { stored }]) => [owns, formatAmounts(stored?.amounts ?? new Map())])
    .toSorted();
  let said: unknown;
  await eventually("the ledgers say what the tenants say, and no more", async () => {
    const rows = (await gated.ledgers()).filter(({ into }) => into === undefined).flatMap((ledger) => [...ledger.rows]);
    said = rows.map(([owns, { stored }]) => [owns, formatAmounts(stored?.amounts ?? new Map())]).toSorted();
    return rows.every(([, { pending }]) => pending.length === 0) && JSON.stringify(said) === JSON.stringify(actual);
  }).catch(() => assert.deepEqual(said, actual));
  for (const namespace of ancestors.keys()) {
    for (const name of NAMES) await admin.delete(Tenant, name, namespace);
  }
  await eventually("no ledger is left", async () => (await gated.ledgers()).length === 0);
  assert.deepEqual(gated.errors, []);
});
