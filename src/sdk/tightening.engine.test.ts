import assert from "node:assert/strict";
import { test } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import { eventually } from "../../test/support/eventually.ts";
import { installKinds, testContext } from "../../test/support/synthetic-app.ts";
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../kube/core-kinds.ts";
import { isApiError } from "../kube/errors.ts";
import type { AnyKind } from "../kube/object.ts";
import { defineApp } from "./define-app.ts";
import { comingRules } from "./policies/coming-rules.ts";
import { appSpec, integer } from "./spec.ts";

const app = defineApp({
  kind: "Tightened",
  plural: "tighteneds",
  release: "tightened-",
  catalog: { title: "Tightened", category: "Test", summary: "For tests" },
  spec: appSpec({ size: integer({ default: 1, description: "Will have to be below ten." }) }),
  tightening: [
    {
      field: "spec.size",
      rule: "self.size < 10",
      holds: ({ size }) => size < 10,
      message: "is ten or more; use less",
      from: "2.0",
    },
  ],
  render: () => [],
});

const says = "spec.size: is ten or more; use less; version 2.0 refuses it";
const instance = (size: number) => app.instance({ name: "a", namespace: "tenant-a", spec: { size } }, testContext);

test("what the next version will refuse is said of what is stored", () => {
  assert.deepEqual(instance(10).willBeRefused, [says]);
  assert.deepEqual(instance(9).willBeRefused, []);
});

test("writing it is warned of and not refused, by the rule that the program judges by", async () => {
  const engine = await testEngine();
  const client = engine.client();
  await installKinds(client, [app]);
  const namespace = await engine.namespace("tightening");
  const [bound] = comingRules([app]);
  assert.ok(bound !== undefined);
  assert.deepEqual(bound.binding.spec.validationActions, ["Warn"]);
  // Whether a warning was given no client tells; by the same policy in force it is seen what it is about.
  const { metadata, ...policy } = bound.policy;
  const name = `${metadata.name}-${namespace}`;
  await client.create(ValidatingAdmissionPolicy, { ...policy, metadata: { name } });
  await client.create(
    ValidatingAdmissionPolicyBinding,
    ValidatingAdmissionPolicyBinding(name, { spec: { policyName: name, validationActions: ["Deny"] } }),
  );
  const kind: AnyKind = { group: app.group, version: "v1alpha1", kind: app.kind, plural: app.plural, namespaced: true };
  const make = (size: number) =>
    client.create(
      kind,
      Object.assign(
        { apiVersion: "apps.cozystack.io/v1alpha1", kind: app.kind, metadata: { name: `of-${size}`, namespace } },
        { spec: { size } },
      ),
      { dryRun: true },
    );
  try {
    await eventually("in force", () =>
      make(10).then(
        () => false,
        (error: unknown) => isApiError(error) && error.message.includes(says),
      ),
    );
    await make(9);
  } finally {
    await client.delete(ValidatingAdmissionPolicyBinding, name);
    await client.delete(ValidatingAdmissionPolicy, name);
  }
});
