import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAmounts } from "./amounts.ts";
import { type Ask, Charges, overcommitted, type Rows, shortages, type UsedOf } from "./charges.ts";
import { refusalMessage } from "./refusal.ts";
import { namespaceOf, type Reservation, type Row } from "./row.ts";

type Budget = Readonly<Record<string, string | number>>;

function row(owns: string, budget: Budget | undefined, pending: readonly Budget[] = []): Row {
  const parts = owns.split("-");
  const ancestors =
    owns === "tenant-root" ? [] : ["tenant-root", ...parts.slice(2).map((_, at) => parts.slice(0, at + 2).join("-"))];
  return {
    owns,
    name: parts.at(-1) ?? "",
    ancestors,
    ...(budget === undefined ? {} : { stored: { uid: "u", version: "5", amounts: parseAmounts(budget) } }),
    pending: pending.map((one): Reservation => ({ amounts: parseAmounts(one), at: 0, base: "5" })),
  };
}
const rowsOf = (...rows: readonly Row[]): Rows => new Map(rows.map((one) => [one.owns, one]));
const ask = (owns: string, budget: Budget, force = false): Ask => {
  const { name, ancestors } = row(owns, undefined);
  return { place: { owns, name, ancestors }, force, reservation: { amounts: parseAmounts(budget), at: 0, uid: "new" } };
};
const unused: UsedOf = () => 0n;
const cpuUsed =
  (cores: number): UsedOf =>
  (_, resource) =>
    resource === "cpu" ? BigInt(cores) * 1_000_000_000n : 0n;

const parent = (budget: Budget, ...others: readonly Row[]) => rowsOf(row("tenant-p", budget), ...others);
const sibling = (budget: Budget) => row("tenant-p-s", budget);
const own = (budget: Budget) => row("tenant-p-c", budget);

interface Case {
  readonly why: string;
  readonly rows: Rows;
  readonly budget: Budget;
  readonly of?: string;
  readonly used?: UsedOf;
  readonly force?: boolean;
  /** `resource:tenant` of what is missing. */
  readonly short: readonly string[];
}

const cases: readonly Case[] = [
  { why: "4 of 10", rows: parent({ cpu: 10 }), budget: { cpu: 4 }, short: [] },
  {
    why: "6 beside 4: all that is left",
    rows: parent({ cpu: 10 }, sibling({ cpu: 4 })),
    budget: { cpu: 6 },
    short: [],
  },
  { why: "7 beside 4", rows: parent({ cpu: 10 }, sibling({ cpu: 4 })), budget: { cpu: 7 }, short: ["cpu:tenant-p"] },
  { why: "11 of 10", rows: parent({ cpu: 10 }), budget: { cpu: 11 }, short: ["cpu:tenant-p"] },
  { why: "an unbounded parent", rows: rowsOf(), budget: { cpu: 1000 }, short: [] },
  {
    why: "only memory is too much",
    rows: parent({ cpu: 10, memory: "1Gi" }),
    budget: { cpu: 1, memory: "2Gi" },
    short: ["memory:tenant-p"],
  },
  { why: "memory that the parent does not bound", rows: parent({ cpu: 10 }), budget: { memory: "9Ti" }, short: [] },
  {
    why: "raising one's own, oneself not counted",
    rows: parent({ cpu: 10 }, own({ cpu: 4 })),
    budget: { cpu: 9 },
    short: [],
  },
  {
    why: "raising one's own too far",
    rows: parent({ cpu: 10 }, own({ cpu: 4 })),
    budget: { cpu: 11 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "the parent's pool uses 8",
    rows: parent({ cpu: 10 }),
    used: cpuUsed(8),
    budget: { cpu: 10 },
    short: ["cpu:tenant-p"],
  },
  { why: "2 beside 8 in use", rows: parent({ cpu: 10 }), used: cpuUsed(8), budget: { cpu: 2 }, short: [] },
  {
    why: "an unbounded tenant between does not widen the budget above",
    rows: parent({ cpu: 10 }),
    of: "tenant-p-x-c",
    budget: { cpu: 11 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "a tenant between that bounds something else",
    rows: parent({ cpu: 10 }, row("tenant-p-x", { memory: "1Gi" })),
    of: "tenant-p-x-c",
    budget: { cpu: 11, memory: "2Gi" },
    short: ["cpu:tenant-p", "memory:tenant-p-x"],
  },
  {
    why: "a write under way counts",
    rows: parent({ cpu: 10 }, row("tenant-p-s", undefined, [{ cpu: 4 }])),
    budget: { cpu: 7 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "a lowering under way has not given back yet",
    rows: parent({ cpu: 10 }, row("tenant-p-s", { cpu: 4 }, [{ cpu: 1 }])),
    budget: { cpu: 7 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "the parent is being lowered",
    rows: rowsOf(row("tenant-p", { cpu: 10 }, [{ cpu: 3 }])),
    budget: { cpu: 4 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "the parent is being raised",
    rows: rowsOf(row("tenant-p", { cpu: 3 }, [{ cpu: 10 }])),
    budget: { cpu: 4 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "lowered below what is given away",
    rows: parent({ cpu: 10 }, sibling({ cpu: 4 })),
    of: "tenant-p",
    budget: { cpu: 3 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "lowered to what is given away",
    rows: parent({ cpu: 10 }, sibling({ cpu: 4 })),
    of: "tenant-p",
    budget: { cpu: 4 },
    short: [],
  },
  {
    why: "lowered by force",
    rows: parent({ cpu: 10 }, sibling({ cpu: 4 })),
    of: "tenant-p",
    force: true,
    budget: { cpu: 3 },
    short: [],
  },
  {
    why: "a first budget below what is given away",
    rows: rowsOf(sibling({ cpu: 4 })),
    of: "tenant-p",
    budget: { cpu: 3 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "force is about what is below, not above",
    rows: parent({ cpu: 10 }),
    force: true,
    budget: { cpu: 11 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "a tenant lowers its budget though its parent is overcommitted",
    rows: parent({ cpu: 3 }, own({ cpu: 9 })),
    budget: { cpu: 5 },
    short: [],
  },
  {
    why: "an overcommitted parent has nothing left",
    rows: parent({ cpu: 3 }, sibling({ cpu: 9 })),
    budget: { cpu: 1 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "taking a bound away frees nothing above",
    rows: parent({ cpu: 10 }, own({ cpu: 9 }), row("tenant-p-c-d", { cpu: 9 })),
    budget: {},
    short: [],
  },
  {
    why: "the root is a tenant as any other",
    rows: rowsOf(row("tenant-root", { cpu: 10 }), row("tenant-a", { cpu: 9 })),
    of: "tenant-root",
    budget: { cpu: 20 },
    short: [],
  },
  {
    why: "the root's budget binds its tenants",
    rows: rowsOf(row("tenant-root", { cpu: 10 })),
    of: "tenant-a",
    budget: { cpu: 11 },
    short: ["cpu:tenant-root"],
  },
  {
    why: "by the name of limits",
    rows: parent({ cpu: 10 }),
    budget: { "limits.cpu": 11 },
    short: ["limits.cpu:tenant-p"],
  },
  { why: "limits of the parent", rows: parent({ "limits.cpu": 10 }), budget: { cpu: 11 }, short: ["cpu:tenant-p"] },
  {
    why: "two names beside each other",
    rows: parent({ cpu: 10 }, sibling({ "limits.cpu": 6 })),
    budget: { cpu: 5 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "two names in one budget: the least counts",
    rows: parent({ cpu: 10 }, sibling({ cpu: 6 })),
    budget: { cpu: 4, "limits.cpu": 9 },
    short: [],
  },
  {
    why: "requests beyond the limits above",
    rows: parent({ cpu: 10 }),
    budget: { "requests.cpu": 11 },
    short: ["requests.cpu:tenant-p"],
  },
  { why: "requests within the limits above", rows: parent({ cpu: 10 }), budget: { "requests.cpu": 10 }, short: [] },
  {
    why: "limits are no requests",
    rows: parent({ cpu: 10, "requests.cpu": 1 }),
    budget: { cpu: 10 },
    short: [],
  },
  {
    why: "devices as Kubernetes counts them",
    rows: parent({ "nvidia.com/gpu": 2 }, sibling({ "requests.nvidia.com/gpu": 1 })),
    budget: { "requests.nvidia.com/gpu": 2 },
    short: ["requests.nvidia.com/gpu:tenant-p"],
  },
  {
    why: "storage as Kubernetes counts it",
    rows: parent({ storage: "1Gi" }),
    budget: { "requests.storage": "2Gi" },
    short: ["requests.storage:tenant-p"],
  },
  {
    why: "objects by either count",
    rows: parent({ services: 5 }, sibling({ "count/services": 3 })),
    budget: { "count/services": 3 },
    short: ["count/services:tenant-p"],
  },
  {
    why: "lowered below what is given away by another name",
    rows: parent({ cpu: 10 }, sibling({ "limits.cpu": 4 })),
    of: "tenant-p",
    budget: { cpu: 3 },
    short: ["cpu:tenant-p"],
  },
  {
    why: "lowered below what is given away as requests",
    rows: parent({ cpu: 10 }, sibling({ "requests.cpu": 4 })),
    of: "tenant-p",
    budget: { cpu: 3 },
    short: ["requests.cpu:tenant-p"],
  },
];

for (const { why, rows, budget, of = "tenant-p-c", used = unused, force = false, short } of cases) {
  test(`feature 6: a budget is judged by every bounded ancestor: ${why}`, () => {
    const found = shortages(rows, ask(of, budget, force), used);
    assert.deepEqual(
      found.map(({ resource, tenant }) => `${resource}:${tenant}`),
      short,
    );
  });
}

test("feature 95: a refusal names what was asked, is left, the total, what is allocated and what is used", () => {
  const found = shortages(parent({ cpu: 10 }, sibling({ cpu: 4 })), ask("tenant-p-c", { cpu: "7500m" }), cpuUsed(1));
  assert.equal(
    refusalMessage(found),
    "spec.resourceQuotas[cpu]: 7500m asked, 5 left in tenant-p (total 10, allocated 4, used 1)",
  );
});

test("a refused lowering names the annotation that forces it", () => {
  const found = shortages(
    parent({ memory: "4Gi" }, sibling({ memory: "3Gi" })),
    ask("tenant-p", { memory: "1Gi" }),
    unused,
  );
  assert.match(refusalMessage(found), /^spec\.resourceQuotas\[memory\]: 1Gi asked, -2Gi left in tenant-p itself/);
  assert.match(refusalMessage(found), /apps\.cozystack\.io\/force-quota/);
});

test("a forced lowering shows as overcommitted, with the figures, and is charged above for what it gave away", () => {
  const rows = rowsOf(row("tenant-root", { cpu: 12 }), row("tenant-p", { cpu: 3 }), sibling({ cpu: 9 }));
  const found = overcommitted(rows, "tenant-p").get("cpu");
  assert.equal(found?.total, 3_000_000_000n);
  assert.equal(found?.allocated, 9_000_000_000n);
  assert.equal(new Charges(rows).charge("tenant-p", "cpu"), 9_000_000_000n);
  assert.deepEqual([...overcommitted(rows, "tenant-root")], []);
});

test("the object of a tenant is in the namespace of the one above; that of the root in its own", () => {
  assert.equal(namespaceOf(row("tenant-p-c", {})), "tenant-p");
  assert.equal(namespaceOf(row("tenant-root", {})), "tenant-root");
});
