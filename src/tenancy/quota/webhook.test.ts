import assert from "node:assert/strict";
import { test } from "node:test";
import type { ValidatingWebhookConfiguration, Webhook } from "../../kube/core-kinds.ts";
import { bypass, gateConfiguration, gatePath } from "./webhook.ts";

const clientConfig = { url: "https://127.0.0.1/x" };
const configuration = (change: Partial<Webhook> = {}): ValidatingWebhookConfiguration => {
  const made = gateConfiguration({ clientConfig });
  return { ...made, webhooks: (made.webhooks ?? []).map((webhook) => ({ ...webhook, ...change })) };
};

const ways: readonly { why: string; live: ValidatingWebhookConfiguration | undefined; says: RegExp }[] = [
  { why: "it is missing", live: undefined, says: /does not exist/ },
  { why: "it calls nobody", live: { ...configuration(), webhooks: [] }, says: /calls nobody/ },
  { why: "it fails open", live: configuration({ failurePolicy: "Ignore" }), says: /other failurePolicy/ },
  { why: "it leaves updates out", live: configuration({ rules: [] }), says: /other rules/ },
  {
    why: "it has other conditions",
    live: configuration({ matchConditions: [{ name: "x", expression: "false" }] }),
    says: /other matchConditions/,
  },
  {
    why: "it leaves namespaces out",
    live: configuration({ namespaceSelector: { matchLabels: { a: "b" } } }),
    says: /has a namespaceSelector/,
  },
];
for (const { why, live, says } of ways) {
  test(`a gate that can be passed by is noticed: ${why}`, () => assert.match(bypass(live) ?? "", says));
}

test("the configuration as it is installed, with the API server's defaults, is no bypass", () => {
  assert.equal(bypass(configuration()), undefined);
  assert.equal(bypass(configuration({ namespaceSelector: {}, objectSelector: {} })), undefined);
});

test("only writes in which budgets matter are asked about, nothing passes without an answer, and dry runs may be asked", () => {
  const [webhook] = configuration().webhooks ?? [];
  assert.deepEqual(webhook?.rules?.[0]?.resources, ["tenants"]);
  assert.deepEqual(
    [webhook?.failurePolicy, webhook?.timeoutSeconds, webhook?.sideEffects],
    ["Fail", 5, "NoneOnDryRun"],
  );
});

test("the path cannot be told without the secret", () => {
  assert.notEqual(gatePath("a"), gatePath("b"));
  assert.equal(gatePath("a"), gatePath("a"));
  assert.ok(!gatePath("hunter2").includes("hunter2"));
});
