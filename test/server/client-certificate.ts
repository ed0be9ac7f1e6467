/** Client certificates, as the API server's front proxy has one. */
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import type { KeyedCertificate } from "../../src/server/certificates/issue.ts";

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

export async function clientCertificate(by: KeyedCertificate, commonName: string): Promise<KeyedCertificate> {
  const pair = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const der = x509.PemConverter.decodeFirst(by.key);
  const made = await x509.X509CertificateGenerator.create({
    serialNumber: "0102",
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    subject: `CN=${commonName}`,
    issuer: new x509.X509Certificate(by.certificate).subject,
    publicKey: pair.publicKey,
    signingKey: await crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]),
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
  });
  const key = x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", pair.privateKey), "PRIVATE KEY");
  return { certificate: made.toString("pem"), key };
}
