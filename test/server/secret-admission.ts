/** What the API server's own checks make of writes of TenantSecrets. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret, ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../src/kube/core-kinds.ts";
import { eventually } from "../support/eventually.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { decoded, pathOf, refusal, shownSecret, TenantSecret, tenant, tenantSecret, unique } from "./fixtures.ts";

export function secretAdmissionSuite(engine: () => ServerEngine): void {
  test("dry run stores nothing, of any write", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    await client.create(Secret, shownSecret("d", namespace));
    const dump = async () =>
      (await client.list(Secret, { namespace })).items.map(({ metadata, data }) => [
        metadata.name,
        metadata.resourceVersion,
        data,
      ]);
    const before = await dump();
    const dryRun = true;
    const created = await client.create(TenantSecret, tenantSecret("new", namespace, { stringData: { a: "1" } }), {
      dryRun,
    });
    assert.deepEqual(decoded(created), { a: "1" });
    await client.replace(TenantSecret, tenantSecret("d", namespace, { stringData: { a: "9" } }), { dryRun });
    await client.mergePatch(TenantSecret, "d", namespace, { stringData: { a: "9" } }, { dryRun });
    await client.jsonPatch(TenantSecret, "d", namespace, [{ op: "remove", path: "/data" }], { dryRun });
    await client.apply(TenantSecret, tenantSecret("d", namespace, { stringData: { z: "9" } }), { dryRun });
    await client.apply(TenantSecret, tenantSecret("fresh", namespace, { stringData: { z: "9" } }), { dryRun });
    assert.equal(await client.delete(TenantSecret, "d", namespace, { dryRun }), true);
    assert.equal(
      await refusal(client.raw("DELETE", `${pathOf(TenantSecret, namespace)}?dryRun=All`)),
      "MethodNotAllowed",
    );
    assert.deepEqual(await dump(), before);
  });

  test("admission policies judge writes of TenantSecrets", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const name = unique("no-evil-");
    await client.create(
      ValidatingAdmissionPolicy,
      ValidatingAdmissionPolicy(name, {
        spec: {
          matchConstraints: {
            resourceRules: [
              { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["secrets"] },
            ],
          },
          validations: [{ expression: `!has(object.data) || !("evil" in object.data)`, message: "no evil here" }],
        },
      }),
    );
    await client.create(
      ValidatingAdmissionPolicyBinding,
      ValidatingAdmissionPolicyBinding(name, {
        spec: {
          policyName: name,
          validationActions: ["Deny"],
          matchResources: { namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } } },
        },
      }),
    );
    const evil = tenantSecret("evil", namespace, { stringData: { evil: "1" } });
    await eventually(
      "the policy is in force",
      async () => (await refusal(client.create(TenantSecret, evil, { dryRun: true }))) !== undefined,
    );
    await client.create(TenantSecret, tenantSecret("good", namespace, { stringData: { a: "1" } }));
    const patch = client.mergePatch(TenantSecret, "good", namespace, { stringData: { evil: "1" } });
    assert.notEqual(await refusal(patch), undefined, "a patch is judged as well");
    await client.delete(ValidatingAdmissionPolicyBinding, name);
    await client.delete(ValidatingAdmissionPolicy, name);
  });

  test("fields that are not known are refused, warned of or dropped", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const wrong = { ...tenantSecret("f", namespace, { stringData: { a: "1" } }), extra: 1 };
    assert.equal(await refusal(client.create(TenantSecret, wrong)), "BadRequest");
    const made = await client.create(TenantSecret, wrong, { fieldValidation: "Ignore" });
    assert.equal(made["extra"], undefined);
    const base64 = tenantSecret("g", namespace, { data: { a: "not base64" } });
    assert.equal(await refusal(client.create(TenantSecret, base64)), "Invalid");
  });
}
