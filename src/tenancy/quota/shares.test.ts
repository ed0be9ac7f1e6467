import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Cluster, cores, KEY, UNIT } from "../../../test/budget/simulated-quotas.ts";
import { random } from "../../../test/budget/turns.ts";
import { refusalIn } from "./demands.ts";
import { forMembers, totalOf } from "./pool.ts";

const under = (namespace: string): readonly string[] => {
  const parts = namespace.split("-").slice(1);
  if (namespace === "tenant-root") return [];
  return ["tenant-root", ...parts.slice(1).map((_, at) => `tenant-${parts.slice(0, at + 1).join("-")}`)];
};

/** What runs in the tenant's subtree. */
function usedIn(cluster: Cluster, tenant: string): bigint {
  let used = 0n;
  for (const [namespace, member] of cluster.members)
    if (namespace === tenant || member.ancestors.includes(tenant)) used += member.used;
  return used;
}

const namespaces = [
  "tenant-root",
  "tenant-a",
  "tenant-b",
  "tenant-c",
  "tenant-a-x",
  "tenant-a-y",
  "tenant-b-x",
  "tenant-a-x-z",
];

test("feature 96: whatever is created, deleted, bounded and joins in whichever order, nobody gets a budget exceeded", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const draw = random(seed);
      const below = (count: number): number => Math.floor(draw() * count);
      const pick = (): string => namespaces[below(namespaces.length)] ?? "";
      const cluster = new Cluster();
      cluster.budget("tenant-root", [], cores(20));
      const totals = new Map<string, bigint>();
      for (let step = 0; step < 400; step += 1) {
        const namespace = pick();
        const dice = below(100);
        // Joined by somebody who ran already, or lowered: what is too much from then on only shrinks.
        let structural = dice < 12;
        if (dice < 8) cluster.join(namespace, under(namespace));
        else if (dice < 10) cluster.leave(namespace);
        else if (dice < 12)
          cluster.budget(namespace, under(namespace), below(3) === 0 ? undefined : cores(1 + below(12)));
        else if (dice < 40) cluster.create(namespace, cores(1 + below(4)));
        else if (dice < 55) cluster.remove(namespace, cores(1 + below(4)));
        else if (dice < 75) structural = cluster.enforce(namespace);
        else for (const next of [...cluster.queue].slice(0, 2)) cluster.work(next);
        for (const [tenant, cap] of cluster.caps) {
          const pool = cluster.pool(tenant);
          const total = totalOf(pool);
          if (total > cap && !structural)
            assert.ok(total <= (totals.get(tenant) ?? 0n), `${tenant} grows beyond its budget`);
          totals.set(tenant, total);
        }
      }
    }),
    { numRuns: 150 },
  );
});

test("what runs never exceeds what is counted, so that no budget is exceeded by what runs", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const draw = random(seed);
      const below = (count: number): number => Math.floor(draw() * count);
      const cluster = new Cluster();
      const members = namespaces.filter((_, index) => index === 0 || below(3) > 0);
      cluster.budget("tenant-root", [], cores(12));
      if (below(2) === 0) cluster.budget("tenant-a", ["tenant-root"], cores(5));
      for (const each of members) cluster.join(each, under(each));
      for (let step = 0; step < 500; step += 1) {
        const namespace = members[below(members.length)] ?? "";
        const dice = below(10);
        // All create at once, and go on when refused.
        if (dice < 5) cluster.create(namespace, cores(1 + below(3)));
        else if (dice < 6) cluster.remove(namespace, cores(1));
        else if (dice < 8) cluster.enforce(namespace);
        else for (const next of [...cluster.queue].slice(0, 2)) cluster.work(next);
        for (const [tenant, cap] of cluster.caps) assert.ok(usedIn(cluster, tenant) <= cap, `${tenant} uses too much`);
      }
    }),
    { numRuns: 150 },
  );
});

test("what fits into what is free is created after a refusal, wherever the headroom was, and the shares come to rest", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const draw = random(seed);
      const below = (count: number): number => Math.floor(draw() * count);
      const cluster = new Cluster();
      cluster.budget("tenant-root", [], cores(40));
      for (const each of namespaces) cluster.join(each, under(each));
      if (below(2) === 0) cluster.budget("tenant-a", ["tenant-root"], cores(10));
      cluster.rest();
      for (let step = 0; step < 30; step += 1) {
        cluster.create(namespaces[below(namespaces.length)] ?? "", cores(1 + below(5)));
        if (below(4) === 0) cluster.rest();
      }
      cluster.rest();
      const namespace = namespaces[below(namespaces.length)] ?? "";
      const pool = cluster.pools.poolsOf(namespace).get(KEY);
      assert.ok(pool);
      const free = forMembers(pool) - pool.used;
      if (free < cores(1)) return;
      const amount = cores(1 + below(Number(free / UNIT)));
      // Others that were refused the same room come first or give up; here they have.
      for (const each of namespaces) cluster.demands.forget(each);
      if (!cluster.create(namespace, amount)) {
        cluster.rest();
        assert.ok(cluster.create(namespace, amount), `${amount / UNIT} of ${free / UNIT} for ${namespace}`);
      }
    }),
    { numRuns: 150 },
  );
});

test("alone in its pool a namespace has all of it", () => {
  const cluster = new Cluster();
  cluster.budget("tenant-root", [], cores(10));
  cluster.join("tenant-root", []);
  cluster.rest();
  assert.equal(cluster.members.get("tenant-root")?.hard, cores(10));
});

test("feature 93: a tenant without a budget shares its parent's pool: together they have no more than that", () => {
  const cluster = new Cluster();
  cluster.budget("tenant-root", [], cores(10));
  cluster.join("tenant-root", []);
  cluster.join("tenant-a", ["tenant-root"]);
  cluster.rest();
  const [root, child] = [cluster.members.get("tenant-root"), cluster.members.get("tenant-a")];
  assert.ok((root?.hard ?? 0n) > 0n && (child?.hard ?? 0n) > 0n);
  assert.ok((root?.hard ?? 0n) + (child?.hard ?? 0n) <= cores(10));
});

test("feature 94: what a grandchild uses counts against the pool at the top", () => {
  const cluster = new Cluster();
  cluster.budget("tenant-a", ["tenant-root"], cores(10));
  for (const each of ["tenant-a", "tenant-a-x", "tenant-a-x-z"]) cluster.join(each, under(each));
  cluster.rest();
  for (let attempt = 0; attempt < 25; attempt += 1) {
    cluster.create("tenant-a-x-z", cores(1));
    cluster.rest();
  }
  assert.equal(cluster.pool("tenant-a").used, cores(10));
  assert.ok(!cluster.create("tenant-a", cores(1)), "nothing is left for the tenant itself");
});

test("a budget of its own is carved out: 10 at the top, 4 below, 6 left", () => {
  const cluster = new Cluster();
  cluster.budget("tenant-root", [], cores(10));
  cluster.budget("tenant-a", ["tenant-root"], cores(4));
  for (const each of ["tenant-root", "tenant-a"]) cluster.join(each, under(each));
  cluster.rest();
  assert.equal(cluster.members.get("tenant-root")?.hard, cores(6));
  assert.equal(cluster.members.get("tenant-a")?.hard, cores(4));
});

test("a tenant below one without a budget is carved out of the one above that has one", () => {
  const cluster = new Cluster();
  cluster.budget("tenant-a", ["tenant-root"], cores(10));
  cluster.budget("tenant-a-x-z", under("tenant-a-x-z"), cores(4));
  for (const each of ["tenant-a", "tenant-a-x", "tenant-a-x-z"]) cluster.join(each, under(each));
  assert.equal(cluster.pool("tenant-a").carved, cores(4));
  cluster.budget("tenant-a-x", under("tenant-a-x"), cores(6));
  assert.equal(cluster.pool("tenant-a").carved, cores(6));
  assert.equal(cluster.pool("tenant-a-x").carved, cores(4));
});

test("what becomes another's is taken first: the new budget is in force only when the old holders have given it up", () => {
  const cluster = new Cluster();
  cluster.budget("tenant-root", [], cores(10));
  for (const each of ["tenant-root", "tenant-a"]) cluster.join(each, under(each));
  cluster.rest();
  cluster.budget("tenant-a", ["tenant-root"], cores(9));
  for (let round = 0; round < 10; round += 1) for (const each of [...cluster.queue]) cluster.work(each);
  const asked = (each: string): bigint => cluster.members.get(each)?.spec ?? 0n;
  assert.equal(asked("tenant-root"), cores(1), "lowered at once");
  const inForce = cluster.members.get("tenant-root")?.hard ?? 0n;
  assert.ok(inForce > cores(1), "which takes its time");
  assert.ok(asked("tenant-a") + inForce <= cores(10), "not raised before that is in force");
  cluster.rest();
  assert.equal(cluster.members.get("tenant-a")?.hard, cores(9));
});

test("what a controller was refused is read from its event", () => {
  const message =
    'create Pod db-1 in StatefulSet db failed error: pods "db-1" is forbidden: exceeded quota: tenant-quota-allocated, requested: limits.cpu=6,requests.cpu=600m, used: limits.cpu=1, limited: limits.cpu=2500m';
  assert.deepEqual(
    [...(refusalIn({ message }) ?? [])],
    [
      ["limits.cpu", cores(6)],
      ["requests.cpu", 600_000_000n],
    ],
  );
  assert.equal(refusalIn({ message: "exceeded quota: tenant-quota, requested: pods=1, used: pods=1" }), undefined);
});
