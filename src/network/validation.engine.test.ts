import assert from "node:assert/strict";
import { test } from "node:test";
import { platformEngine } from "../../test/support/platform.ts";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import { isApiError } from "../kube/errors.ts";
import type { Kind, KubeObject } from "../kube/object.ts";

const engine = await platformEngine();
const client = engine.client();
const namespace = await engine.namespace("tenant-sg-rules");
const plain: Kind<KubeObject> = SecurityGroup;

interface Row {
  readonly why: string;
  readonly spec: unknown;
  /** Default `x`. */
  readonly name?: string;
  /** The message of the refusal; absent: accepted. */
  readonly refused?: RegExp;
}
const app = { kind: "Postgres", name: "db" };
const port = (value: unknown) => ({ ingress: [{ toPorts: [{ ports: [value] }] }] });
const rows: readonly Row[] = [
  { why: "nothing said", spec: {} },
  {
    why: "everything said",
    spec: {
      attachments: [app, { apiGroup: "apps.cozystack.io", kind: "Redis", name: "cache" }],
      ingress: [
        {
          fromApp: [app],
          fromSG: ["web.tier"],
          fromCIDR: ["192.0.2.0/24", "192.0.2.1", "2001:db8::/32", "::1"],
          toPorts: [{ ports: [{ port: "443", protocol: "tcp" }] }],
        },
      ],
      egress: [
        {
          toApp: [app],
          toSG: ["db"],
          toCIDR: ["0.0.0.0/0"],
          toFQDNs: [
            { matchName: "example.org" },
            { matchPattern: "*.example.org" },
            { matchName: "a.org", matchPattern: "*.a.org" },
          ],
          toPorts: [{ ports: [{}] }],
        },
      ],
    },
  },
  { why: "a name of 63 characters", name: "a".repeat(63), spec: {} },
  { why: "a name of 64", name: "a".repeat(64), spec: {}, refused: /metadata\.name.*at most 63/ },
  { why: "an attachment without a name", spec: { attachments: [{ kind: "Postgres" }] }, refused: /name.*[Rr]equired/ },
  { why: "an attachment without a kind", spec: { attachments: [{ name: "db" }] }, refused: /kind.*[Rr]equired/ },
  {
    why: "an attachment with an empty name",
    spec: { attachments: [{ ...app, name: "" }] },
    refused: /attachments\[0\]\.name/,
  },
  {
    why: "a kind of 64 characters",
    spec: { attachments: [{ ...app, kind: "a".repeat(64) }] },
    refused: /attachments\[0\]\.kind/,
  },
  {
    why: "a name that is no label value",
    spec: { attachments: [{ ...app, name: "a/b" }] },
    refused: /attachments\[0\]\.name/,
  },
  ...["world", "Cluster", "kube-apiserver", "HOST", "remote-node", "health", "init", "unmanaged", "all"].flatMap(
    (name) => [
      {
        why: `an application called ${name}`,
        spec: { attachments: [{ ...app, name }] },
        refused: /meaning of their own/,
      },
      {
        why: `a peer called ${name}`,
        spec: { egress: [{ toApp: [{ ...app, name }] }] },
        refused: /meaning of their own/,
      },
      { why: `a group called ${name}`, spec: { ingress: [{ fromSG: [name] }] }, refused: /meaning of their own/ },
    ],
  ),
  { why: "an empty group", spec: { ingress: [{ fromSG: [""] }] }, refused: /fromSG\[0\]/ },
  { why: "a group of 64 characters", spec: { egress: [{ toSG: ["a".repeat(64)] }] }, refused: /toSG\[0\]/ },
  { why: "a group that does not exist", spec: { ingress: [{ fromSG: ["nobody"] }] } },
  {
    why: "an address that is none",
    spec: { ingress: [{ fromCIDR: ["192.0.2.256"] }] },
    refused: /fromCIDR\[0\].*192\.0\.2\.0\/24/,
  },
  { why: "a prefix that is too long", spec: { egress: [{ toCIDR: ["192.0.2.0/33"] }] }, refused: /toCIDR\[0\]/ },
  { why: "an empty address", spec: { egress: [{ toCIDR: [""] }] }, refused: /toCIDR\[0\]/ },
  {
    why: "a DNS name without either form",
    spec: { egress: [{ toFQDNs: [{}] }] },
    refused: /matchName or matchPattern/,
  },
  {
    why: "a DNS name with empty forms",
    spec: { egress: [{ toFQDNs: [{ matchName: "", matchPattern: "" }] }] },
    refused: /matchName or matchPattern/,
  },
  { why: "a DNS name with a slash", spec: { egress: [{ toFQDNs: [{ matchName: "a/b" }] }] }, refused: /matchName/ },
  { why: "a port by name", spec: port({ port: "http-alt" }) },
  { why: "an empty port", spec: port({ port: "", protocol: "" }) },
  { why: "port 65535", spec: port({ port: "65535", protocol: "sctp" }) },
  { why: "port 65536", spec: port({ port: "65536" }), refused: /port/ },
  { why: "port 0", spec: port({ port: "0" }), refused: /port/ },
  { why: "a port's name of 16 characters", spec: port({ port: "a".repeat(16) }), refused: /port/ },
  { why: "a port's name without a letter", spec: port({ port: "1-2" }), refused: /port/ },
  { why: "another protocol", spec: port({ port: "1", protocol: "icmp" }), refused: /protocol/ },
  { why: "41 ports", spec: { ingress: [{ toPorts: [{ ports: Array(41).fill({ port: "1" }) }] }] }, refused: /ports/ },
  { why: "65 attachments", spec: { attachments: Array(65).fill(app) }, refused: /attachments/ },
];
for (const { why, name = "x", spec, refused } of rows) {
  test(`a SecurityGroup is ${refused === undefined ? "accepted" : "refused"}: ${why}`, async () => {
    const object = Object.assign(
      { apiVersion: "sdn.cozystack.io/v1alpha1", kind: "SecurityGroup", metadata: { name, namespace } },
      { spec },
    );
    const write = () => client.create(plain, object, { dryRun: true });
    if (refused === undefined) return void (await write());
    await assert.rejects(write, (error) => {
      assert.ok(isApiError(error, "Invalid"), String(error));
      assert.match(error.message, refused);
      return true;
    });
  });
}

test("targetRef is no part of a group: strict requests are refused (feature 152)", async () => {
  const object = {
    apiVersion: "sdn.cozystack.io/v1alpha1",
    kind: "SecurityGroup",
    metadata: { name: "x", namespace },
    spec: { targetRef: app },
  };
  await assert.rejects(
    client.create(plain, object, { dryRun: true }),
    (error) => isApiError(error, "BadRequest") && /targetRef/.test(error.message),
  );
});

test("the API group of an attachment is filled in", async () => {
  const made = await client.create(SecurityGroup, SecurityGroup("x", { namespace, spec: { attachments: [app] } }), {
    dryRun: true,
  });
  assert.equal(made.spec?.attachments?.[0]?.apiGroup, "apps.cozystack.io");
});
