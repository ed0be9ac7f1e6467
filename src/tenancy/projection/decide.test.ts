import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { certificatesIn } from "./certificates.ts";
import { decide, type ProjectionFacts } from "./decide.ts";
import { certificate, projection, secret } from "./fixture.ts";

const ca = await certificate("ca");
const other = await certificate("other");
const fingerprint = (pem: string): string => new X509Certificate(pem).fingerprint256;

const facts = (given: Partial<ProjectionFacts>): ProjectionFacts => ({
  projection: projection(),
  release: "postgres-db",
  rivals: [],
  source: secret("postgres-db-ca", { "ca.crt": ca.certificate, "ca.key": ca.key }),
  output: undefined,
  now: Date.parse("2026-11-30T00:00:00Z"),
  ...given,
});

test("publishes the certificate alone of a Secret that holds its key as well", () => {
  const { publish, verdict } = decide(facts({}));
  assert.deepEqual(verdict.reason, "Projected");
  assert.ok(publish);
  assert.equal(publish.metadata.name, "postgres-db.tenant-ca");
  assert.deepEqual(Object.keys(publish.data ?? {}), ["ca.crt"]);
  const pem = Buffer.from(publish.data?.["ca.crt"] ?? "", "base64").toString("utf8");
  assert.equal(fingerprint(pem), fingerprint(ca.certificate));
  assert.deepEqual(publish.metadata.labels, {
    "apps.cozystack.io/application.group": "apps.cozystack.io",
    "apps.cozystack.io/application.kind": "Postgres",
    "apps.cozystack.io/application.name": "db",
    "internal.cozystack.io/managed-by-cozystack": "true",
    "internal.cozystack.io/tenant-ca": "true",
    "internal.cozystack.io/ca-cert-copy": "true",
  });
  assert.deepEqual(
    publish.metadata.ownerReferences?.map(({ name, controller }) => ({ name, controller })),
    [{ name: "postgres-db-ca", controller: true }],
  );
});

test("what is published and unchanged is left alone; drift is put right, foreign labels stay", () => {
  const { publish } = decide(facts({}));
  assert.ok(publish);
  assert.equal(decide(facts({ output: publish })).publish, undefined);
  const drifted = {
    ...publish,
    metadata: {
      ...publish.metadata,
      labels: { mine: "1" },
      ownerReferences: [
        ...(publish.metadata.ownerReferences ?? []),
        { apiVersion: "v1", kind: "Pod", name: "p", uid: "x" },
      ],
    },
    data: { ...publish.data, extra: "eA==" },
  };
  const again = decide(facts({ output: drifted })).publish;
  assert.ok(again);
  assert.equal(again.metadata.labels?.["mine"], "1");
  assert.equal(again.metadata.labels?.["internal.cozystack.io/tenant-ca"], "true");
  assert.equal(again.metadata.ownerReferences?.length, 1);
  assert.deepEqual(Object.keys(again.data ?? {}), ["ca.crt"]);
});

test("a Secret of an earlier projection of the same name is taken over", () => {
  const { publish } = decide(facts({}));
  assert.ok(publish);
  const [reference] = publish.metadata.ownerReferences ?? [];
  assert.ok(reference);
  const old = { ...publish, metadata: { ...publish.metadata, ownerReferences: [{ ...reference, uid: "gone" }] } };
  assert.equal(decide(facts({ output: old })).publish?.metadata.ownerReferences?.[0]?.uid, "u1");
});

const source = (data: Readonly<Record<string, string>>) => secret("postgres-db-ca", data);
const canonical = "postgres-db.tenant-ca";
const rows: readonly ({ why: string; reason: string; warning?: string; status?: "True" } & Partial<ProjectionFacts>)[] =
  [
    { why: "no release", release: undefined, reason: "NoRelease" },
    { why: "two certificates", projection: projection("p", [{}, {}]), reason: "MultipleCACertProjections" },
    { why: "a rival", rivals: ["another"], reason: "ReleaseContested" },
    { why: "no source name", projection: projection("p", [{ sourceSecretName: "" }]), reason: "SourceInvalid" },
    { why: "no source", source: undefined, reason: "SourceNotFound" },
    { why: "no key in the source", source: source({ other: "x" }), reason: "SourceNotReady" },
    { why: "an empty key in the source", source: source({ "ca.crt": "" }), reason: "SourceNotReady" },
    {
      why: "a private key beside the certificate",
      source: source({ "ca.crt": ca.certificate + ca.key }),
      reason: "SourceRejected",
      warning: "CACertPrivateKeyRefused",
    },
    {
      why: "no certificate at all",
      source: source({ "ca.crt": "hello" }),
      reason: "SourceRejected",
      warning: "CACertInvalid",
    },
    {
      why: "a Secret of somebody else at the output's name",
      output: secret(canonical, { "ca.crt": "x" }),
      reason: "ProjectionCollision",
      warning: "CACertSecretCollision",
    },
    {
      why: "labels alone do not make a Secret ours",
      output: secret(
        canonical,
        { "ca.crt": "x" },
        {
          metadata: {
            name: canonical,
            namespace: "tenant-foo",
            labels: { "internal.cozystack.io/ca-cert-copy": "true" },
          },
        },
      ),
      reason: "ProjectionCollision",
      warning: "CACertSecretCollision",
    },
    {
      why: "the engine writes the output's name itself, with a key",
      projection: projection("p", [{ sourceSecretName: canonical }]),
      source: secret(canonical, { "ca.crt": ca.certificate, "tls.key": ca.key }),
      reason: "CanonicalNameOccupied",
      warning: "CACertCanonicalNameOccupied",
    },
    {
      why: "the engine writes the output's name itself, without the label",
      projection: projection("p", [{ sourceSecretName: canonical }]),
      source: secret(canonical, { "ca.crt": ca.certificate }),
      reason: "Projected",
      status: "True",
      warning: "CACertCanonicalNameContract",
    },
  ];
for (const { why, reason, warning, status = "False", ...given } of rows) {
  test(`reports ${reason}: ${why}`, () => {
    const decision = decide(facts(given));
    assert.equal(decision.verdict.reason, reason);
    assert.equal(decision.verdict.status, status);
    assert.equal(decision.warning?.reason, warning);
    assert.equal(decision.publish, undefined);
    assert.ok(!JSON.stringify(decision).includes(ca.key.slice(40, 80)), "the key is in no message");
  });
}

test("an output on its way out is waited for", () => {
  const { publish } = decide(facts({}));
  assert.ok(publish);
  const going = { ...publish, metadata: { ...publish.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
  assert.equal(decide(facts({ output: going })).verdict.reason, "ProjectionTerminating");
});

const good: readonly { why: string; text: string; count: number }[] = [
  { why: "one", text: ca.certificate, count: 1 },
  { why: "two, with space between", text: `${ca.certificate}\n\n${other.certificate}\n`, count: 2 },
  { why: "text before is lost", text: `subject=CN\n${ca.certificate}`, count: 1 },
  { why: "text between is lost", text: `${ca.certificate}# c2VjcmV0\n${other.certificate}`, count: 2 },
  { why: "Windows line ends", text: ca.certificate.replaceAll("\n", "\r\n"), count: 1 },
];
for (const { why, text, count } of good) {
  test(`certificates: ${why}`, () => {
    const checked = certificatesIn(text);
    assert.ok(checked.is === "certificates");
    assert.equal(checked.pem.match(/BEGIN CERTIFICATE/g)?.length, count);
    assert.ok(checked.pem.startsWith("-----BEGIN CERTIFICATE-----\n") && !checked.pem.includes("c2VjcmV0\n#"));
    assert.ok(!checked.pem.includes("subject") && !checked.pem.includes("#"));
  });
}

const damaged = ca.certificate.replace("-----END CERTIFICATE-----", "");
const appended = `-----BEGIN CERTIFICATE-----\n${Buffer.concat([new X509Certificate(ca.certificate).raw, Buffer.from("key bytes")]).toString("base64")}\n-----END CERTIFICATE-----\n`;
const bad: readonly { why: string; text: string; because: "privateKey" | "notCertificates" }[] = [
  { why: "a PKCS 8 key", text: ca.key, because: "privateKey" },
  { why: "a key in other letters", text: ca.certificate + ca.key.toLowerCase(), because: "privateKey" },
  { why: "an RSA key's header alone", text: "-----BEGIN RSA PRIVATE KEY-----", because: "privateKey" },
  {
    why: "an encrypted key",
    text: `${ca.certificate}-----BEGIN ENCRYPTED PRIVATE KEY-----\nAA==\n`,
    because: "privateKey",
  },
  { why: "an OpenSSH key", text: "-----BEGIN OPENSSH PRIVATE KEY-----\nAA==", because: "privateKey" },
  { why: "a PGP key", text: "-----BEGIN PGP PRIVATE KEY BLOCK-----\n", because: "privateKey" },
  { why: "nothing", text: "", because: "notCertificates" },
  {
    why: "a public key",
    text: "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    because: "notCertificates",
  },
  { why: "text after", text: `${ca.certificate}tail`, because: "notCertificates" },
  { why: "a block without its end", text: damaged, because: "notCertificates" },
  { why: "a damaged block before a whole one", text: damaged + other.certificate, because: "notCertificates" },
  { why: "bytes after the certificate inside the block", text: appended, because: "notCertificates" },
  {
    why: "a certificate that is none",
    text: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    because: "notCertificates",
  },
];
for (const { why, text, because } of bad) {
  test(`refuses ${why}`, () => {
    const checked = certificatesIn(text);
    assert.ok(checked.is === "rejected");
    assert.equal(checked.because, because);
  });
}
