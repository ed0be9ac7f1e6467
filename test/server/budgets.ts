/** The gate of budgets on the server's listener, asked by the API server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isApiError } from "../../src/kube/errors.ts";
import { Tenant } from "../../src/tenancy/quota/tenant-kind.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { unique } from "./fixtures.ts";

export function budgetsSuite(engine: () => ServerEngine): void {
  test("a budget that does not fit is refused through our listener; other writes do not ask", async () => {
    const client = engine().client();
    const name = unique("b");
    const namespace = "tenant-root";
    await client.mergePatch(Tenant, "root", namespace, { spec: { resourceQuotas: { cpu: 4 } } });
    await client.create(Tenant, Tenant(name, { namespace, spec: { resourceQuotas: { cpu: 3 } } }));
    const more = client.create(Tenant, Tenant(unique("b"), { namespace, spec: { resourceQuotas: { cpu: 2 } } }));
    await assert.rejects(more, (error) => {
      assert.ok(isApiError(error, "Invalid"), String(error));
      assert.match(error.message, /2 asked, 1 left/);
      return true;
    });
    await client.delete(Tenant, name, namespace);
    await client.mergePatch(Tenant, "root", namespace, { spec: { resourceQuotas: null } });
  });
}
