import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { test } from "node:test";
import { pairOf, selfSigned } from "./self-signed.ts";

const random = (bytes: number) => new Uint8Array(bytes).fill(0xff);
const fresh = () => {
  const generators = Object.entries(selfSigned("the authority", "the server"));
  return Object.fromEntries(generators.map(([key, generate]) => [key, generate(random)]));
};
const secret = (values: Readonly<Record<string, string>>) => ({ name: "x", values, existing: new Set<string>() });

test("the authority signs itself and the server, and nobody else", () => {
  const pair = pairOf(secret(fresh()));
  const [authority, server] = [new X509Certificate(pair["ca.crt"]), new X509Certificate(pair["tls.crt"])];
  assert.ok(authority.verify(authority.publicKey) && server.verify(authority.publicKey));
  assert.ok(server.checkIssued(authority));
  assert.deepEqual(
    [authority.subject, server.subject, server.issuer],
    ["CN=the authority", "CN=the server", "CN=the authority"],
  );
  assert.deepEqual([authority.ca, server.ca], [true, false]);
  assert.equal(server.subjectAltName, undefined);
  assert.notEqual(pairOf(secret(fresh()))["tls.key"], pair["tls.key"]);
});

test("it is valid today and does not end", () => {
  const server = new X509Certificate(pairOf(secret(fresh()))["tls.crt"]);
  assert.ok(server.validFromDate.getTime() < Date.UTC(2001, 0));
  assert.equal(server.validToDate.toISOString(), "9999-12-31T23:59:59.000Z");
});

test("the private key is the certificate's, in the form of RSA keys", () => {
  const pair = pairOf(secret(fresh()));
  assert.match(pair["tls.key"], /^-----BEGIN RSA PRIVATE KEY-----\n/);
  assert.ok(new X509Certificate(pair["tls.crt"]).checkPrivateKey(createPrivateKey(pair["tls.key"])));
});

test("live values stay as they are, whatever they are", () => {
  const values = { "ca.crt": "CA", "tls.crt": "CRT", "tls.key": "KEY", other: "x" };
  assert.deepEqual(pairOf(secret(values)), { "ca.crt": "CA", "tls.crt": "CRT", "tls.key": "KEY" });
});

test("where one is missing all are made anew: they belong together", () => {
  const { "tls.crt": made = "", ...rest } = fresh();
  assert.ok(rest["tls.key"]?.startsWith("{"));
  const pair = pairOf(secret({ "ca.crt": "CA", "tls.crt": made, "tls.key": "KEY" }));
  assert.ok(new X509Certificate(pair["tls.crt"]).checkPrivateKey(createPrivateKey(pair["tls.key"])));
});
