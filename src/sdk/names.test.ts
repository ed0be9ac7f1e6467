import assert from "node:assert/strict";
import { test } from "node:test";
import { Refusal } from "./errors.ts";
import { checkName, derivedNames, longestName, type NameForm, nameProblem, tenantNamespace } from "./names.ts";

const rows: readonly { why: string; name: string; form: NameForm; code?: "InvalidName" | "NameTooLong" }[] = [
  { why: "one letter", name: "a", form: "DNS-1035 label" },
  { why: "a dash inside", name: "a-b", form: "DNS-1035 label" },
  { why: "63 characters", name: "a".repeat(63), form: "DNS-1035 label" },
  { why: "64 characters", name: "a".repeat(64), form: "DNS-1035 label", code: "NameTooLong" },
  { why: "a leading digit", name: "1a", form: "DNS-1035 label", code: "InvalidName" },
  { why: "a leading digit is legal in DNS-1123", name: "1a", form: "DNS-1123 label" },
  { why: "a trailing dash", name: "a-", form: "DNS-1123 label", code: "InvalidName" },
  { why: "upper case", name: "A", form: "DNS-1123 label", code: "InvalidName" },
  { why: "a newline at the end", name: "a\n", form: "DNS-1123 label", code: "InvalidName" },
  { why: "empty", name: "", form: "DNS-1123 subdomain", code: "InvalidName" },
  { why: "dots", name: "a.b-c.1", form: "DNS-1123 subdomain" },
  { why: "two dots", name: "a..b", form: "DNS-1123 subdomain", code: "InvalidName" },
  { why: "a tenant with a dash", name: "a-b", form: "tenant name", code: "InvalidName" },
  { why: "a tenant with a digit", name: "a1", form: "tenant name" },
];
for (const { why, name, form, code } of rows) {
  test(`${JSON.stringify(name.slice(0, 12))} as ${form}: ${why}`, () =>
    assert.equal(nameProblem(name, form, "it")?.code, code));
}

test("a refusal names the derived name, the limit and the remedy", () => {
  assert.throws(
    () => checkName("a".repeat(70), "DNS-1035 label", "the name of Service", "metadata.name"),
    (error: unknown) => {
      assert.ok(error instanceof Refusal);
      assert.match(error.message, /metadata\.name: the name of Service "a{70}" has 70 characters, at most 63/);
      assert.equal(error.remedy, "Choose a name that is 7 characters shorter.");
      return true;
    },
  );
});

test("names follow from prefix and name", () => {
  assert.deepEqual(derivedNames("redis-", "x"), {
    release: "redis-x",
    dashboard: "redis-x-dashboard-resources",
    tenantCa: "redis-x.tenant-ca",
  });
  assert.equal(longestName("tenant-"), 46);
});

const namespaces = [
  { parent: "tenant-root", name: "root", namespace: "tenant-root" },
  { parent: "tenant-root", name: "a", namespace: "tenant-a" },
  { parent: "tenant-a", name: "b", namespace: "tenant-a-b" },
];
for (const { parent, name, namespace } of namespaces) {
  test(`tenant ${name} in ${parent} has ${namespace}`, () => assert.equal(tenantNamespace(parent, name), namespace));
}
