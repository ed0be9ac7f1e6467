import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAmounts, parseAmounts } from "./amounts.ts";
import { type BudgetWrite, GateBusy, NotInTree, type Verdict } from "./gate.ts";
import { budgetWriteOf, reviewBudget } from "./review.ts";

const object = (quotas: object | undefined, metadata: object = {}) => ({
  metadata: { name: "c", namespace: "tenant-p", uid: "new", ...metadata },
  spec: quotas === undefined ? {} : { resourceQuotas: quotas },
});
const old = (quotas: object | undefined) => object(quotas, { uid: "old", resourceVersion: "7" });
const request = (fields: object) => ({ uid: "r", namespace: "tenant-p", ...fields });

const passed: readonly { why: string; request: object }[] = [
  { why: "a create without a budget", request: request({ object: object(undefined) }) },
  { why: "an edit of something else", request: request({ object: object({ cpu: 1 }), oldObject: old({ cpu: 1 }) }) },
  {
    why: "the same amount written in another way",
    request: request({ object: object({ cpu: "1000m" }), oldObject: old({ cpu: 1 }) }),
  },
  {
    why: "a status",
    request: request({ subResource: "status", object: object({ cpu: 2 }), oldObject: old({ cpu: 1 }) }),
  },
  {
    why: "an object that is being deleted",
    request: request({
      object: object({ cpu: 2 }, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
      oldObject: old({ cpu: 1 }),
    }),
  },
];
for (const { why, request } of passed) {
  test(`a request that changes no budget is let through undecided: ${why}`, async () => {
    const { response } = await reviewBudget({ decide: () => assert.fail("asked") }, { request });
    assert.deepEqual(response, { uid: "r", allowed: true });
  });
}

test("a create is known by the uid that its object will have, an update by the version it is over", () => {
  const created = budgetWriteOf(request({ object: object({ cpu: 2 }), dryRun: true }));
  assert.deepEqual([created?.over, created?.dryRun, created?.force], [{ creates: "new" }, true, false]);
  const force = { annotations: { "apps.cozystack.io/force-quota": "true" } };
  const updated = budgetWriteOf(request({ object: object({ cpu: 2 }, force), oldObject: old({ cpu: 1 }) }));
  assert.deepEqual(updated?.over, { uid: "old", version: "7", amounts: parseAmounts({ cpu: 1 }) });
  assert.deepEqual([formatAmounts(updated?.amounts ?? new Map()), updated?.force], [{ cpu: "2" }, true]);
});

const answers: readonly {
  why: string;
  decide: (write: BudgetWrite) => Promise<Verdict>;
  code: number;
  reason: string;
  says: RegExp;
}[] = [
  {
    why: "what does not fit is invalid",
    decide: async () => ({
      is: "refused",
      shortages: [
        {
          resource: "cpu",
          is: "above",
          tenant: "tenant-p",
          asked: 2_000_000_000n,
          left: 1_000_000_000n,
          total: 4_000_000_000n,
          allocated: 3_000_000_000n,
          used: 0n,
        },
      ],
    }),
    code: 422,
    reason: "Invalid",
    says: /2 asked, 1 left in tenant-p \(total 4, allocated 3, used 0\)/,
  },
  {
    why: "too busy",
    decide: () => Promise.reject(new GateBusy("tenant-p-c")),
    code: 503,
    reason: "ServiceUnavailable",
    says: /none is changed/,
  },
  {
    why: "a fault",
    decide: () => Promise.reject(new Error("boom")),
    code: 503,
    reason: "ServiceUnavailable",
    says: /boom/,
  },
  {
    why: "no tenant's namespace",
    decide: () => Promise.reject(new NotInTree("x")),
    code: 403,
    reason: "Forbidden",
    says: /not, or not yet/,
  },
];
for (const { why, decide, code, reason, says } of answers) {
  test(`whatever cannot be admitted is refused with a reason: ${why}`, async () => {
    const { response } = await reviewBudget({ decide }, { request: request({ object: object({ cpu: 2 }) }) });
    assert.equal(response.allowed, false);
    assert.deepEqual([response.status?.code, response.status?.reason], [code, reason]);
    assert.match(response.status?.message ?? "", says);
  });
}

test("an amount below 0 is invalid, whoever writes it", async () => {
  const review = { request: request({ object: object({ cpu: "-1" }) }) };
  const { response } = await reviewBudget({ decide: () => assert.fail("asked") }, review);
  assert.equal(response.status?.code, 422);
});

for (const resource of ["CPU", "limits.limits.cpu", "limits", "gpu", "a..b/x"]) {
  test(`a resource that Kubernetes does not count is invalid when it is new: ${resource}`, async () => {
    const gate = { decide: () => assert.fail("asked") };
    const added = request({ object: object({ cpu: 1, [resource]: 1 }), oldObject: old({ cpu: 1 }) });
    const { response } = await reviewBudget(gate, { request: added });
    assert.equal(response.status?.code, 422);
    assert.match(response.status?.message ?? "", /counts nothing of this name/);
    const kept = request({ object: object({ cpu: 2, [resource]: 1 }), oldObject: old({ cpu: 1, [resource]: 1 }) });
    assert.ok(budgetWriteOf(kept), "what was stored before can still be changed otherwise");
  });
}
