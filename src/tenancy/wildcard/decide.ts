/**
 * Where a copy of the platform's wildcard certificate is due (secrets-and-certs.md 2). Pure. Nothing in it is a tenant's word:
 * the platform's configuration names the source, labels of Namespaces say who terminates TLS, and the certificate itself
 * for which names.
 */
import { X509Certificate } from "node:crypto";
import type { SecretObject } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";

/** The certificate to copy, or why there is none. */
export type Source =
  /** Switched off: copies go. */
  | { readonly is: "off" }
  /** Nothing can be said: copies stay as they are. */
  | { readonly is: "unknown"; readonly why: string }
  | { readonly is: "known"; readonly secret: SecretObject; readonly names: readonly string[] };

/** DNS names of the first certificate; undefined for what is no certificate. */
export function certificateNames(secret: SecretObject): readonly string[] | undefined {
  const pem = Buffer.from(secret.data?.["tls.crt"] ?? "", "base64");
  try {
    const { subjectAltName = "" } = new X509Certificate(pem);
    return subjectAltName
      .split(", ")
      .flatMap((entry) => (entry.startsWith("DNS:") ? [entry.slice("DNS:".length).toLowerCase()] : []));
  } catch {
    // The parser says in no stable way what is wrong; that it is no certificate is all that matters here.
    return undefined;
  }
}

/** What was read at the source's place. */
export function sourceOf(place: string, secret: SecretObject | undefined): Source {
  if (secret === undefined) return { is: "unknown", why: `Secret ${place} does not exist` };
  if (secret.type !== "kubernetes.io/tls")
    return { is: "unknown", why: `Secret ${place} is not of type kubernetes.io/tls` };
  const names = certificateNames(secret);
  if (names === undefined) return { is: "unknown", why: `tls.crt of Secret ${place} is no certificate` };
  return { is: "known", secret, names };
}

/** Whether a certificate is of use to who serves `host` and names right below it: its key goes nowhere else. */
export function covers(names: readonly string[], host: string): boolean {
  if (host === "") return false;
  const above = host.slice(host.indexOf(".") + 1);
  return names.some((name) => name === host || name === `*.${host}` || (host.includes(".") && name === `*.${above}`));
}

const LABEL = "namespace.cozystack.io/";

/** Whether TLS ends in a namespace: it has an ingress controller or a Gateway of its own. */
export function terminates({ metadata: { name, labels = {}, deletionTimestamp } }: KubeObject): boolean {
  return deletionTimestamp === undefined && [labels[`${LABEL}ingress`], labels[`${LABEL}gateway`]].includes(name);
}

/** `keep`: neither write nor remove. */
export type Due = "due" | "notDue" | "keep";

export function dueIn(namespace: KubeObject, source: Source, publishing: string): Due {
  if (source.is === "unknown") return "keep";
  if (source.is === "off" || namespace.metadata.name === publishing) return "notDue";
  const host = namespace.metadata.labels?.[`${LABEL}host`] ?? "";
  return terminates(namespace) && covers(source.names, host.toLowerCase()) ? "due" : "notDue";
}
