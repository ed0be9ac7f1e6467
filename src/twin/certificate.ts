/**
 * The twin's own authority, whose certificate the simulated operators publish. Made once for a cluster and kept in a Secret,
 * so that a restart of the twin does not change what applications have already published.
 */
import { Secret } from "../contracts/core.ts";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { fieldManager } from "./children.ts";

const name = "twin-authority";
const namespace = "cozy-system";
const key = "ca.crt";
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const years = (count: number) => count * 365 * 24 * 3600 * 1000;

async function issue(now: number): Promise<string> {
  await import("reflect-metadata"); // x509's dependency injection needs it present first
  const x509 = await import("@peculiar/x509");
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: "01",
    name: "CN=twin.cozystack.io, O=simulated",
    notBefore: new Date(now),
    notAfter: new Date(now + years(10)),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  return made.toString("pem");
}

/** The certificate of this cluster's twin, PEM. */
export async function authorityCertificate(client: Client, now: number): Promise<string> {
  const live = await client.get(Secret, name, namespace);
  const stored = live?.data?.[key];
  if (stored !== undefined) return Buffer.from(stored, "base64").toString("utf8");
  const certificate = await issue(now);
  const secret = Secret(name, {
    namespace,
    type: "Opaque",
    data: { [key]: Buffer.from(certificate).toString("base64") },
  });
  try {
    await client.create(Secret, secret, { fieldManager });
    return certificate;
  } catch (error) {
    // Another twin of this cluster was first.
    if (isApiError(error, "AlreadyExists")) return authorityCertificate(client, now);
    throw error;
  }
}
