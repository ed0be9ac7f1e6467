import assert from "node:assert/strict";
import { test } from "node:test";
import { ClusterRole, ClusterRoleBinding, type PolicyRule } from "../../kube/core-kinds.ts";
import { clusterReaders } from "./cluster-readers.ts";

const rule = (group: string, resource: string, verb: string, names?: readonly string[]): PolicyRule => ({
  apiGroups: [group],
  resources: [resource],
  verbs: [verb],
  ...(names === undefined ? {} : { resourceNames: names }),
});

const cases = [
  { why: "reads all namespaces", rule: rule("", "namespaces", "list"), sees: true },
  { why: "cluster-admin", rule: rule("*", "*", "*"), sees: true },
  { why: "reads every application", rule: rule("apps.cozystack.io", "*", "get"), sees: true },
  {
    why: "reads one kind of application everywhere",
    rule: rule("apps.cozystack.io", "postgreses", "watch"),
    sees: true,
  },
  { why: "makes namespaces only", rule: rule("", "namespaces", "create"), sees: false },
  { why: "reads one namespace by name", rule: rule("", "namespaces", "get", ["tenant-a"]), sees: false },
  { why: "a role that everybody has", rule: rule("core.cozystack.io", "tenantnamespaces", "list"), sees: false },
  { why: "reads nodes", rule: rule("", "nodes", "list"), sees: false },
  { why: "a subresource of applications", rule: rule("apps.cozystack.io", "postgreses/status", "get"), sees: false },
];

for (const { why, rule: one, sees } of cases) {
  test(`${sees ? "sees" : "does not see"} all tenants: ${why}`, () => {
    const role = ClusterRole("r", { rules: [one] });
    const binding = ClusterRoleBinding("b", {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "r" },
      subjects: [
        { kind: "Group", name: "g" },
        { kind: "ServiceAccount", name: "a", namespace: "n" },
      ],
    });
    const expected = sees ? ["g:g", "u:system:serviceaccount:n:a"] : [];
    assert.deepEqual([...clusterReaders([role], [binding])], expected);
    assert.deepEqual([...clusterReaders([], [binding])], [], "a role that does not exist gives nothing");
  });
}
