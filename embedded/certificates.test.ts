import assert from "node:assert/strict";
import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Certificates, ensureCertificates, frontProxyName } from "./certificates.ts";

const directory = mkdtempSync(join(tmpdir(), "pki-"));
after(() => rmSync(directory, { recursive: true }));

const addresses = ["127.0.0.1", "localhost"];
const now = new Date("2030-01-01T00:00:00Z");
const inDays = (days: number): Date => new Date(now.getTime() + days * 24 * 3600 * 1000);

const certificate = (file: string): X509Certificate => new X509Certificate(readFileSync(file));
const contents = (files: Certificates) =>
  Object.fromEntries(Object.entries(files).map(([name, file]) => [name, readFileSync(file, "utf8")]));

test("the serving certificate is of our authority and of exactly the addresses asked for", async () => {
  const files = await ensureCertificates(join(directory, "serving"), addresses, now);
  const ca = certificate(files.ca);
  const serving = certificate(files.serving);
  assert.ok(ca.ca);
  assert.equal(serving.ca, false);
  assert.ok(serving.checkIssued(ca) && serving.verify(ca.publicKey));
  assert.equal(serving.checkIP("127.0.0.1"), "127.0.0.1");
  assert.equal(serving.checkHost("localhost"), "localhost");
  assert.equal(serving.checkHost("example.org"), undefined);
  assert.ok(serving.checkPrivateKey(createPrivateKey(readFileSync(files.servingKey))));
});

test("the front proxy's certificate is of an authority of its own, which signs nothing else", async () => {
  const files = await ensureCertificates(join(directory, "proxy"), addresses, now);
  const client = certificate(files.frontProxyClient);
  assert.ok(client.verify(certificate(files.frontProxyCa).publicKey));
  assert.equal(client.verify(certificate(files.ca).publicKey), false);
  assert.equal(client.subject, `CN=${frontProxyName}`);
  assert.deepEqual(client.keyUsage, ["1.3.6.1.5.5.7.3.2"]); // client authentication
});

test("the ServiceAccount key and its public half belong together", async () => {
  const files = await ensureCertificates(join(directory, "account"), addresses, now);
  const derived = createPublicKey(readFileSync(files.serviceAccountKey)).export({ type: "spki", format: "pem" });
  const stored = createPublicKey(readFileSync(files.serviceAccountPublicKey)).export({ type: "spki", format: "pem" });
  assert.equal(stored, derived);
});

test("only the owner may read any of them", async () => {
  const files = await ensureCertificates(join(directory, "modes"), addresses, now);
  for (const file of Object.values(files)) assert.equal(statSync(file).mode & 0o077, 0, file);
});

const renewals: { why: string; at: Date; names: readonly string[]; changes: readonly (keyof Certificates)[] }[] = [
  { why: "nothing is renewed while all last", at: inDays(300), names: addresses, changes: [] },
  {
    why: "leaves near their end are issued anew by the same authority",
    at: inDays(340),
    names: addresses,
    changes: ["frontProxyCa", "frontProxyClient", "frontProxyClientKey", "serving", "servingKey"],
  },
  {
    why: "a new address needs a new serving certificate",
    at: now,
    names: [...addresses, "example.org"],
    changes: ["frontProxyCa", "frontProxyClient", "frontProxyClientKey", "serving", "servingKey"],
  },
  {
    why: "an authority that would end before its leaves is replaced; tokens stay valid",
    at: inDays(3400),
    names: addresses,
    changes: ["ca", "caKey", "frontProxyCa", "frontProxyClient", "frontProxyClientKey", "serving", "servingKey"],
  },
];
for (const [index, { why, at, names, changes }] of renewals.entries()) {
  test(why, async () => {
    const folder = join(directory, `renewal-${index}`);
    const before = contents(await ensureCertificates(folder, addresses, now));
    const files = await ensureCertificates(folder, names, at);
    const after = contents(files);
    assert.deepEqual(
      Object.keys(after)
        .filter((name) => after[name] !== before[name])
        .toSorted(),
      [...changes].toSorted(),
    );
    assert.ok(certificate(files.serving).verify(certificate(files.ca).publicKey));
    assert.ok(certificate(files.serving).validToDate > at);
  });
}
