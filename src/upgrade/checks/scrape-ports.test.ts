import assert from "node:assert/strict";
import { test } from "node:test";
import { cases, denied } from "../../../test/support/check-cases.ts";
import { onPort, scrapePortCheck } from "./scrape-ports.ts";
import { read } from "./source.ts";

const resource = { group: "monitoring.coreos.com", plural: "servicemonitors" };
const monitor = (name: string, spec: object, annotations = {}) => ({
  apiVersion: "monitoring.coreos.com/v1",
  kind: "ServiceMonitor",
  metadata: { name, namespace: "mine", annotations },
  spec,
});
const selector = (name: string) => ({ matchLabels: { "app.kubernetes.io/name": name } });

const rows = [
  {
    why: "a number",
    object: monitor("a", { selector: selector("cert-manager"), endpoints: [{ targetPort: 10250 }] }),
    names: ["cert-manager"],
  },
  { why: "a text", object: monitor("metrics-server", { endpoints: [{ port: "10250" }] }), names: ["metrics-server"] },
  {
    why: "an address",
    object: monitor("a", { targets: ["external-secrets-webhook.x.svc:10250"] }),
    names: ["external-secrets"],
  },
  { why: "the kubelet", object: monitor("kubelet", { endpoints: [{ port: 10250 }] }), names: [] },
  {
    why: "another port",
    object: monitor("a", { selector: selector("cert-manager"), endpoints: [{ port: 9402 }] }),
    names: undefined,
  },
  { why: "a longer number", object: monitor("a", { selector: selector("cert-manager"), x: 102500 }), names: undefined },
  {
    why: "the platform's own",
    object: monitor(
      "a",
      { selector: selector("cert-manager"), x: 10250 },
      { "meta.helm.sh/release-namespace": "cozy-monitoring" },
    ),
    names: undefined,
  },
] as const;
for (const { why, object, names } of rows)
  test(`who looks on port 10250: ${why}`, () => assert.deepEqual(onPort(resource, object)?.components, names));

const target = (name: string, components: readonly "cert-manager"[]) => ({
  group: resource.group,
  kind: "ServiceMonitor",
  resource: "servicemonitors.monitoring.coreos.com",
  namespace: "mine",
  name,
  components,
});

cases(scrapePortCheck, [
  { why: "the kubelet alone", facts: { targets: read([target("kubelet", [])]) }, is: "pass" },
  {
    why: "a component that moved",
    facts: { targets: read([target("a", ["cert-manager"])]) },
    is: "fail",
    severity: "information",
    objects: ["mine/a"],
    says: /cert-manager is on 10260/,
  },
  { why: "nobody looks there", facts: { targets: read([]) }, is: "notApplicable" },
  { why: "a denied list", facts: { targets: denied }, is: "couldNotTell" },
]);
