/**
 * Makes the listener's certificates: an authority of our own, and serving certificates by it. PEM, in memory.
 */
import { randomBytes, type webcrypto } from "node:crypto";

/** PEM texts. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

const day = 24 * 3600 * 1000;
/** Milliseconds. */
export const authorityLife = 5 * 365 * day;
export const servingLife = 90 * day;

async function library() {
  // Loaded only when something is issued, since that costs more than reading; its dependency injection wants the first.
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

const keys = (): Promise<webcrypto.CryptoKeyPair> => crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);

const validity = (now: number, life: number) => ({
  serialNumber: `01${randomBytes(15).toString("hex")}`,
  notBefore: new Date(now - 3600 * 1000), // clocks differ
  notAfter: new Date(now + life),
  signingAlgorithm: algorithm,
});

async function pemOf(key: webcrypto.CryptoKey): Promise<string> {
  const x509 = await library();
  return `${x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY")}\n`;
}

/** A new authority. @param now milliseconds of the wall clock */
export async function issueAuthority(now: number): Promise<KeyedCertificate> {
  const x509 = await library();
  const pair = await keys();
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(now, authorityLife),
    name: `CN=cozystack-api-${randomBytes(4).toString("hex")}`,
    keys: pair,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(pair.publicKey),
    ],
  });
  return { certificate: `${made.toString("pem")}\n`, key: await pemOf(pair.privateKey) };
}

/** A serving certificate for the names, by the authority. */
export async function issueServing(
  by: KeyedCertificate,
  names: readonly string[],
  now: number,
): Promise<KeyedCertificate> {
  const x509 = await library();
  const pair = await keys();
  const der = x509.PemConverter.decodeFirst(by.key);
  const made = await x509.X509CertificateGenerator.create({
    ...validity(now, servingLife),
    subject: "CN=cozystack-api",
    issuer: new x509.X509Certificate(by.certificate).subject,
    publicKey: pair.publicKey,
    signingKey: await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]),
    extensions: [
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        names.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ("ip" as const) : ("dns" as const), value })),
      ),
    ],
  });
  return { certificate: `${made.toString("pem")}\n`, key: await pemOf(pair.privateKey) };
}
