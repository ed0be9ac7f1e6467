/** The rules of tenants' roles as they are written; what they come to is tried in tenant-roles.engine.test.ts. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tenantClusterRoles } from "./tenant-roles.ts";

const names = (list: readonly string[] | undefined, wanted: string): boolean =>
  list?.some((one) => one === wanted || one === "*") === true;

test("no role of a tenant reaches Secrets, of its own namespace or of another one (feature 127)", () => {
  const roles = tenantClusterRoles();
  const rules = roles.flatMap((role) => (role.rules ?? []).map((rule) => ({ role: role.metadata.name, rule })));
  assert.ok(rules.length > 20, "the rules were looked at");
  const reaching = rules.filter(({ rule }) => names(rule.apiGroups, "") && names(rule.resources, "secrets"));
  assert.deepEqual(reaching, []);
});
