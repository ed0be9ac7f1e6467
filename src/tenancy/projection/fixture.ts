/** For the tests of this folder: certificates, and what a projection looks at. */
import { webcrypto } from "node:crypto";
import { Secret, type SecretObject } from "../../contracts/core.ts";
import { TenantProjection } from "../../contracts/internal-cozystack-io.ts";
import type { Projection } from "./output.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A self-signed certificate and its key, as PEM; for these DNS names, if any. */
export async function certificate(
  name: string,
  ...dns: readonly string[]
): Promise<{ readonly certificate: string; readonly key: string }> {
  await import("reflect-metadata");
  const x509 = await import("@peculiar/x509");
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date("2026-01-01"),
    notAfter: new Date("2036-01-01"),
    extensions:
      dns.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(dns.map((value) => ({ type: "dns", value })))],
  });
  const key = x509.PemConverter.encode(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey), "PRIVATE KEY");
  return { certificate: `${made.toString("pem")}\n`, key: `${key}\n` };
}

export function secret(
  name: string,
  data: Readonly<Record<string, string>>,
  rest: Partial<SecretObject> = {},
): SecretObject {
  const encoded = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "utf8").toString("base64")]);
  return { ...Secret(name, { namespace: "tenant-foo", type: "Opaque", data: Object.fromEntries(encoded) }), ...rest };
}

type Entry = NonNullable<Projection["spec"]>["projections"][number];

export function projection(name = "postgres-db-ca", entries?: readonly Partial<Entry>[]): Projection {
  const projections = (entries ?? [{}]).map((entry) => ({
    type: "CACert" as const,
    sourceSecretName: "postgres-db-ca",
    ...entry,
  }));
  return TenantProjection(name, {
    metadata: { namespace: "tenant-foo", uid: "u1", generation: 1 },
    labels: {
      "apps.cozystack.io/application.group": "apps.cozystack.io",
      "apps.cozystack.io/application.kind": "Postgres",
      "apps.cozystack.io/application.name": "db",
    },
    spec: { projections },
  });
}
