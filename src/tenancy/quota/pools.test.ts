import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { random } from "../../../test/budget/turns.ts";
import type { Amounts } from "./amounts.ts";
import type { QuotaState } from "./pool.ts";
import { Pools } from "./pools.ts";

const keys = ["limits.cpu", "pods"];
const namespaces = ["tenant-root", "tenant-a", "tenant-b", "tenant-a-x", "tenant-a-y", "tenant-a-x-z"];
const under = (namespace: string): readonly string[] =>
  namespaces.filter((each) => each !== namespace && (each === "tenant-root" || namespace.startsWith(`${each}-`)));

/** Everything that a pool says, for comparison. */
function facts(pools: Pools): readonly string[] {
  const said = namespaces.flatMap((tenant) =>
    keys.flatMap((key) => {
      const pool = pools.poolAt(tenant, key);
      if (pool === undefined) return [];
      const { cap, held, planned, used, carved, below, members, parent } = pool;
      const rich = [...pool.headrooms.richest()].toSorted();
      return [
        `${tenant} ${key}: ${[cap, held, planned, used, carved, below]} ${[...members].toSorted()} under ${parent?.tenant}, rich ${rich}`,
      ];
    }),
  );
  const used = namespaces.flatMap((tenant) => keys.map((key) => `${tenant} ${key} ${pools.usedBelow(tenant, key)}`));
  return [...said, ...used];
}

test("pools kept event by event are those of the final state, whatever came in whichever order", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const draw = random(seed);
      const below = (count: number): number => Math.floor(draw() * count);
      const amounts = (): Amounts => new Map(keys.filter(() => below(3) > 0).map((key) => [key, BigInt(below(20))]));
      const budgets = new Map<string, Amounts>();
      const quotas = new Map<string, QuotaState>();
      const existing = new Set<string>();
      const pools = new Pools();
      for (let step = 0; step < 60; step += 1) {
        const namespace = namespaces[below(namespaces.length)] ?? "";
        switch (below(5)) {
          case 0:
            existing.add(namespace);
            pools.setNamespace(namespace, under(namespace));
            break;
          case 1:
            existing.delete(namespace);
            quotas.delete(namespace);
            pools.removeNamespace(namespace);
            break;
          case 2:
            budgets.set(namespace, amounts());
            pools.setBudget(namespace, under(namespace), budgets.get(namespace) ?? new Map());
            break;
          case 3:
            budgets.delete(namespace);
            pools.setBudget(namespace, under(namespace), new Map());
            break;
          default:
            if (!existing.has(namespace)) break;
            quotas.set(namespace, { spec: amounts(), hard: amounts(), used: amounts() });
            pools.setQuota(namespace, quotas.get(namespace));
        }
      }
      const fresh = new Pools();
      for (const [namespace, budget] of budgets) fresh.setBudget(namespace, under(namespace), budget);
      for (const namespace of existing) fresh.setNamespace(namespace, under(namespace));
      for (const [namespace, quota] of quotas) fresh.setQuota(namespace, quota);
      assert.deepEqual(facts(pools), facts(fresh));
    }),
    { numRuns: 300 },
  );
});

test("use of a pool leaves out whom one asks to leave out", () => {
  const pools = new Pools();
  const use = (namespace: string, amount: bigint): void => {
    pools.setNamespace(namespace, under(namespace));
    const one = new Map([["pods", amount]]);
    pools.setQuota(namespace, { spec: one, hard: one, used: one });
  };
  pools.setBudget("tenant-a", ["tenant-root"], new Map([["pods", 100n]]));
  use("tenant-a", 1n);
  use("tenant-a-x", 10n);
  use("tenant-a-x-z", 20n);
  use("tenant-a-y", 40n);
  assert.equal(pools.usedOf("tenant-a", "pods", "tenant-a-new"), 71n);
  assert.equal(pools.usedOf("tenant-a", "pods", "tenant-a-x"), 41n);
  assert.equal(pools.usedBelow("tenant-a-x", "pods"), 30n);
  pools.setBudget("tenant-a-x-z", under("tenant-a-x-z"), new Map([["pods", 50n]]));
  assert.equal(pools.usedOf("tenant-a", "pods", "tenant-a-new"), 51n, "what is carved out is not of the pool");
});
