/**
 * What may be shown to a tenant as trusted certificates: certificates, and not one byte of anything else.
 */
import { X509Certificate } from "node:crypto";

/** The text is not shown: it holds a private key, or is not made of certificates. The text itself is never repeated. */
export interface Rejected {
  readonly is: "rejected";
  readonly because: "privateKey" | "notCertificates";
  readonly why: string;
}

export interface Certificates {
  readonly is: "certificates";
  /** PEM, made anew from the parsed certificates, so that nothing between or before them gets through. */
  readonly pem: string;
}

// Any flavour (PKCS 1, PKCS 8, encrypted, EC, OpenSSH, PGP) in any letter case, whole or cut off.
const PRIVATE_KEY = /-----\s*BEGIN[^\n]{0,80}PRIVATE\s+KEY/i;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\r?\n([A-Za-z0-9+/=\r\n \t]+)-----END \1-----/g;

/** Checks and re-encodes what a Secret's key holds. */
export function certificatesIn(text: string): Certificates | Rejected {
  if (PRIVATE_KEY.test(text)) return rejected("privateKey", "it contains a private key");
  const blocks = [...text.matchAll(BLOCK)];
  const last = blocks.at(-1);
  if (last === undefined) return rejected("notCertificates", "it contains no certificate in PEM form");
  if (text.slice(last.index + last[0].length).trim() !== "") {
    return rejected("notCertificates", "there is text after the last certificate");
  }
  // A block that the pattern does not match as a whole would vanish silently.
  if ([...text.matchAll(/-----BEGIN /g)].length !== blocks.length) {
    return rejected("notCertificates", "a PEM block in it is damaged");
  }
  const pems: string[] = [];
  for (const [, type, body = ""] of blocks) {
    if (type !== "CERTIFICATE") return rejected("notCertificates", `it contains a ${type}`);
    const pem = reencode(Buffer.from(body, "base64"));
    if (pem === undefined) return rejected("notCertificates", "one of its certificates cannot be parsed");
    pems.push(pem);
  }
  return { is: "certificates", pem: pems.join("") };
}

function reencode(der: Buffer): string | undefined {
  try {
    const { raw } = new X509Certificate(der);
    // Bytes after the certificate are not the certificate.
    if (raw.length !== der.length) return undefined;
    const lines = raw.toString("base64").match(/.{1,64}/g) ?? [];
    return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
  } catch {
    // The parser says in no stable way what is wrong; that it is no certificate is all that matters here.
    return undefined;
  }
}

function rejected(because: Rejected["because"], why: string): Rejected {
  return { is: "rejected", because, why };
}
