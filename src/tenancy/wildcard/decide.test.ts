import assert from "node:assert/strict";
import { test } from "node:test";
import { Namespace, Secret } from "../../contracts/core.ts";
import { certificate, secret } from "../projection/fixture.ts";
import { covers, dueIn, sourceOf, terminates } from "./decide.ts";

for (const { names, host, is, why } of [
  { names: ["*.example.org"], host: "example.org", is: true, why: "what it serves are names right below" },
  { names: ["*.example.org"], host: "foo.example.org", is: true, why: "its own name" },
  {
    names: ["*.example.org"],
    host: "bar.foo.example.org",
    is: false,
    why: "two levels below: no name of it is covered",
  },
  { names: ["*.example.org", "*.foo.example.org"], host: "bar.foo.example.org", is: true, why: "a second wildcard" },
  { names: ["*.example.org"], host: "custom.test", is: false, why: "a domain of its own" },
  { names: ["*.example.org"], host: "badexample.org", is: false, why: "only the end of the text is the same" },
  { names: ["*.org"], host: "example.org", is: true, why: "its own name, of a wide certificate" },
  { names: ["example.org"], host: "foo.example.org", is: false, why: "no wildcard" },
  { names: ["*.example.org"], host: "", is: false, why: "no host" },
  { names: ["*."], host: "org", is: false, why: "a host without a dot" },
  { names: [], host: "example.org", is: false, why: "no names" },
] as const) {
  test(`a certificate for ${names.join(" and ") || "nothing"} is ${is ? "" : "not "}of use to ${host || "nobody"}: ${why}`, () =>
    assert.equal(covers(names, host), is));
}

const namespace = (labels: Readonly<Record<string, string>>) => Namespace("tenant-foo", { labels });
const label = (key: string) => `namespace.cozystack.io/${key}`;
const host = { [label("host")]: "foo.example.org" };

test("TLS ends where a namespace has an ingress controller or a Gateway of its own", () => {
  assert.equal(terminates(namespace({ [label("ingress")]: "tenant-foo" })), true);
  assert.equal(terminates(namespace({ [label("gateway")]: "tenant-foo" })), true);
  assert.equal(terminates(namespace({ [label("ingress")]: "tenant-root", [label("gateway")]: "" })), false);
  assert.equal(terminates(namespace({})), false);
  const going = namespace({ [label("ingress")]: "tenant-foo" });
  assert.equal(
    terminates({ ...going, metadata: { ...going.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } }),
    false,
  );
});

test("a source that is missing, of another type or broken says nothing: copies stay", async () => {
  const made = await certificate("w", "*.example.org");
  const tls = secret("w", { "tls.crt": made.certificate, "tls.key": made.key }, { type: "kubernetes.io/tls" });
  const own = namespace({ ...host, [label("ingress")]: "tenant-foo" });
  assert.equal(dueIn(own, sourceOf("tenant-root/w", tls), "tenant-root"), "due");
  assert.equal(dueIn(own, sourceOf("tenant-root/w", tls), "tenant-foo"), "notDue", "the source itself");
  assert.equal(dueIn(own, sourceOf("tenant-root/w", undefined), "tenant-root"), "keep");
  assert.equal(dueIn(own, sourceOf("tenant-root/w", { ...tls, type: "Opaque" }), "tenant-root"), "keep");
  const broken = secret("w", { "tls.crt": "no certificate" }, { type: "kubernetes.io/tls" });
  assert.equal(dueIn(own, sourceOf("tenant-root/w", broken), "tenant-root"), "keep");
  assert.equal(dueIn(own, { is: "off" }, "tenant-root"), "notDue");
  assert.equal(
    dueIn(Namespace("tenant-foo", { labels: host }), sourceOf("tenant-root/w", tls), "tenant-root"),
    "notDue",
  );
  assert.equal(sourceOf("x", Secret("w")).is, "unknown");
});
