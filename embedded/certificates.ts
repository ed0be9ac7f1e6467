/**
 * The engine's own certificates, kept in its data directory: one authority for the API server and its clients, one
 * for the front proxy (aggregated API servers trust it), and the key that signs ServiceAccount tokens.
 *
 * Made with @peculiar/x509: node:crypto makes keys and reads certificates, but cannot issue one, and no openssl
 * binary may be assumed. It is loaded only when something has to be issued, since that costs more than reading all.
 */
import { randomBytes, type webcrypto, X509Certificate } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { X509CertificateGenerator } from "@peculiar/x509";

/** Paths of PEM files. */
export interface Certificates {
  readonly ca: string;
  readonly caKey: string;
  readonly serving: string;
  readonly servingKey: string;
  readonly frontProxyCa: string;
  readonly frontProxyClient: string;
  readonly frontProxyClientKey: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
}

const day = 24 * 3600 * 1000;
const authorityLife = 3650 * day;
const leafLife = 365 * day;
/** A certificate with less than this left is issued anew at the next start. */
const renewBefore = 30 * day;

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** Subject of the front proxy's client certificate: what aggregated API servers are told to accept. */
export const frontProxyName = "front-proxy-client";

/**
 * The certificates of a directory; those that are missing or about to end are issued, the rest is kept.
 * @param addresses names and IP addresses the API server is reached at
 * @param now decides what is about to end
 */
export async function ensureCertificates(
  directory: string,
  addresses: readonly string[],
  now: Date,
): Promise<Certificates> {
  const at = (file: string): string => join(directory, file);
  const files: Certificates = {
    ca: at("ca.crt"),
    caKey: at("ca.key"),
    serving: at("apiserver.crt"),
    servingKey: at("apiserver.key"),
    frontProxyCa: at("front-proxy-ca.crt"),
    frontProxyClient: at("front-proxy-client.crt"),
    frontProxyClientKey: at("front-proxy-client.key"),
    serviceAccountKey: at("service-account.key"),
    serviceAccountPublicKey: at("service-account.pub"),
  };
  const lasting = [files.ca, files.frontProxyCa, files.serving, files.frontProxyClient];
  const whole = Object.values(files).every((file) => existsSync(file));
  if (whole && lasting.every((file) => lasts(file, now)) && serves(files.serving, addresses)) return files;

  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const issue = await issuer(now);
  const keepAuthority = existsSync(files.caKey) && lasts(files.ca, now, leafLife);
  const ca = keepAuthority
    ? await issue.load(files.ca, files.caKey)
    : await issue.authority("cozystack-engine", files.ca, files.caKey);
  const frontProxy = await issue.authority("cozystack-engine-front-proxy", files.frontProxyCa);
  await issue.leaf(ca, "kube-apiserver", addresses, files.serving, files.servingKey);
  await issue.leaf(frontProxy, frontProxyName, [], files.frontProxyClient, files.frontProxyClientKey);
  // Tokens in the cluster stay valid as long as the key does: it is never replaced.
  if (!existsSync(files.serviceAccountKey)) await issue.keyPair(files.serviceAccountKey, files.serviceAccountPublicKey);
  return files;
}

function lasts(file: string, now: Date, atLeast = renewBefore): boolean {
  return existsSync(file) && new X509Certificate(readFileSync(file)).validToDate.getTime() - now.getTime() > atLeast;
}

function serves(file: string, addresses: readonly string[]): boolean {
  const certificate = new X509Certificate(readFileSync(file));
  return addresses.every(
    (address) => (isIp(address) ? certificate.checkIP(address) : certificate.checkHost(address)) !== undefined,
  );
}

function isIp(address: string): boolean {
  return /^[\d.]+$|:/.test(address);
}

interface Authority {
  readonly subject: string;
  readonly key: webcrypto.CryptoKey;
}

async function issuer(now: Date) {
  await import("reflect-metadata"); // x509's dependency injection needs it present first
  const x509 = await import("@peculiar/x509");
  const generate = (): Promise<webcrypto.CryptoKeyPair> =>
    crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const pem = async (form: "pkcs8" | "spki", key: webcrypto.CryptoKey): Promise<string> =>
    x509.PemConverter.encode(await crypto.subtle.exportKey(form, key), form === "pkcs8" ? "PRIVATE KEY" : "PUBLIC KEY");
  const common = (life: number) => ({
    serialNumber: `01${randomBytes(15).toString("hex")}`,
    notBefore: new Date(now.getTime() - 3600 * 1000), // a clock that steps back a little does not lock anyone out
    notAfter: new Date(now.getTime() + life),
    signingAlgorithm: algorithm,
  });
  type Extensions = NonNullable<Parameters<typeof X509CertificateGenerator.create>[0]["extensions"]>;

  return {
    async load(certificate: string, keyFile: string): Promise<Authority> {
      const der = x509.PemConverter.decodeFirst(readFileSync(keyFile, "utf8"));
      const key = await crypto.subtle.importKey("pkcs8", der, algorithm, true, ["sign"]);
      return { subject: new x509.X509Certificate(readFileSync(certificate, "utf8")).subject, key };
    },
    /** Without a key file the key is forgotten after this run: nothing more can be issued by that authority. */
    async authority(name: string, certificateFile: string, keyFile?: string): Promise<Authority> {
      const keys = await generate();
      const extensions: Extensions = [
        new x509.BasicConstraintsExtension(true, undefined, true),
        new x509.KeyUsagesExtension(
          x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
          true,
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ];
      const made = await x509.X509CertificateGenerator.createSelfSigned({
        ...common(authorityLife),
        name: `CN=${name}`,
        keys,
        extensions,
      });
      if (keyFile !== undefined) write(keyFile, await pem("pkcs8", keys.privateKey));
      write(certificateFile, made.toString("pem"));
      return { subject: made.subject, key: keys.privateKey };
    },
    /** A serving certificate where there are addresses, a client certificate where there are none. */
    async leaf(
      by: Authority,
      name: string,
      addresses: readonly string[],
      certificateFile: string,
      keyFile: string,
    ): Promise<void> {
      const keys = await generate();
      const usage = addresses.length > 0 ? x509.ExtendedKeyUsage.serverAuth : x509.ExtendedKeyUsage.clientAuth;
      const names = addresses.map((value) => ({ type: isIp(value) ? "ip" : "dns", value }) as const);
      const extensions: Extensions = [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
      ];
      const made = await x509.X509CertificateGenerator.create({
        ...common(leafLife),
        subject: `CN=${name}`,
        issuer: by.subject,
        publicKey: keys.publicKey,
        signingKey: by.key,
        extensions,
      });
      write(keyFile, await pem("pkcs8", keys.privateKey));
      write(certificateFile, made.toString("pem"));
    },
    async keyPair(privateFile: string, publicFile: string): Promise<void> {
      const keys = await generate();
      write(publicFile, await pem("spki", keys.publicKey));
      write(privateFile, await pem("pkcs8", keys.privateKey));
    },
  };
}

function write(file: string, text: string): void {
  writeFileSync(`${file}.new`, `${text.trimEnd()}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
