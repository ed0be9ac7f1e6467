import assert from "node:assert/strict";
import { after, test } from "node:test";
import { isApiError } from "../../src/kube/errors.ts";
import { Tenant } from "../../src/tenancy/quota/tenant-kind.ts";
import { gatedEngine } from "../budget/gated-engine.ts";
import { judgeRevisions } from "../budget/revisions.ts";
import { eventually } from "../support/eventually.ts";

const gated = await gatedEngine();
const { admin, root } = gated;
const ROUNDS = 100;
const CHILDREN = 20;

/** Whether it was stored; refused for its budget is an answer, anything else a fault. */
async function stored(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isApiError(error, "Invalid", "NotFound", "Conflict")) return false;
    throw error;
  }
}

test("R10: 20 children of one core at once under a parent of ten, raised and deleted, 100 rounds over two gates, one killed now and then", async () => {
  const stop = new AbortController();
  after(() => stop.abort());
  await admin.create(Tenant, Tenant("p", { namespace: root, spec: { resourceQuotas: { cpu: 10 } } }));
  const parent = await gated.place("p", root);
  const revisions = await judgeRevisions(
    admin,
    (namespace) => (namespace === parent ? ["tenant-root", root] : namespace === root ? ["tenant-root"] : undefined),
    stop.signal,
  );
  const names = Array.from({ length: CHILDREN }, (_, index) => `c${index}`);
  const child = (name: string, cpu: number) => Tenant(name, { namespace: parent, spec: { resourceQuotas: { cpu } } });
  for (let round = 0; round < ROUNDS; round += 1) {
    const killed = round % 20 === 10 ? gated.kill(round % 40 === 10 ? 0 : 1) : Promise.resolve();
    const made = await Promise.all(names.map((name) => stored(admin.create(Tenant, child(name, 1)))));
    // While an instance dies some may be refused that would fit: nobody answered for them.
    const count = made.filter(Boolean).length;
    assert.ok(count <= 10, `${count} children of one core in round ${round}`);
    if (round % 20 !== 10) assert.equal(count, 10, `round ${round}: what fits is admitted`);
    await killed;
    const [raised, second, third, ...others] = names.filter((_, index) => made[index] === true);
    assert.ok(raised !== undefined && second !== undefined && third !== undefined);
    const raise = (name: string) => admin.mergePatch(Tenant, name, parent, { spec: { resourceQuotas: { cpu: 6 } } });
    const raises = Promise.all([raised, second, third].map((name) => stored(raise(name))));
    await Promise.all(others.map((name) => admin.delete(Tenant, name, parent)));
    await raises;
    await Promise.all([raised, second, third].map((name) => admin.delete(Tenant, name, parent)));
  }
  await revisions.caughtUp();
  assert.deepEqual(revisions.exceeded, []);
  assert.ok(revisions.count > ROUNDS * CHILDREN);
  // All of it comes back.
  await admin.create(Tenant, child("all", 10));
  await admin.delete(Tenant, "all", parent);
  await admin.delete(Tenant, "p", root);
  await eventually("nothing is left of it", async () => (await gated.ledgers()).length === 0);
});
