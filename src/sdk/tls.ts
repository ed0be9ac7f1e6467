/**
 * Encryption towards clients, with certificates of an authority of the application's own.
 */
import { Certificate, Issuer } from "../contracts/cert-manager-io.ts";
import type { AppInput } from "./app.ts";
import { clusterDomain } from "./cluster.ts";
import type { AppContext } from "./context.ts";
import { refuse } from "./errors.ts";
import { flag, group } from "./fields.ts";
import type { Rendered } from "./manifest.ts";

/** The field `tls` of a spec, read by {@link tlsEnabled}. */
export function tlsField(description = "Encrypt the connections of clients. Absent: as `external`.") {
  return group({ enabled: flag({ description }) }, { description: "Encryption towards clients." });
}

/** What the user says; otherwise encrypted where it is reachable from outside. */
export function tlsEnabled(spec: {
  readonly tls: { readonly enabled?: boolean };
  readonly external: boolean;
}): boolean {
  return spec.tls.enabled ?? spec.external;
}

/** The name by which clients outside reach the application. Refused where the tenant has no host. */
export function externalHost(release: string, { namespace }: Pick<AppContext, "namespace">): string {
  if (namespace.host !== "") return `${release}.${namespace.host}`;
  return refuse({
    code: "InvalidPlatform",
    field: "_namespace.host",
    message: "the tenant has no host name, which the certificate of an external server needs",
    remedy: "Give the tenant a host, or set tls.enabled to false.",
  });
}

type Placed = Pick<AppInput<unknown>, "namespace" | "context">;

/** The names of a Service within the cluster, from the shortest to the longest. */
export function serviceNames(service: string, { namespace, context }: Placed): readonly string[] {
  return [service, `${service}.${namespace}.svc`, `${service}.${namespace}.svc.${clusterDomain(context)}`];
}

/** The Secrets in which cert-manager keeps what {@link ownAuthority} asks for. They stay when the Certificates go. */
export const authoritySecrets = (release: string): readonly string[] => [`${release}-ca`, `${release}-tls`];

/**
 * An authority of the application's own and a certificate of it: Issuer `<release>-selfsigned`, Certificate and Issuer
 * `<release>-ca`, Certificate `<release>-tls` for `dnsNames`. The authority's key is never made anew, or clients would have to
 * trust another one. `saysNoCa`: the certificate
 * says of itself that it is no authority, as upstream has it for some.
 */
export function ownAuthority(
  { release, namespace }: { readonly release: string; readonly namespace: string },
  dnsNames: readonly string[],
  options: { readonly saysNoCa?: boolean } = {},
): readonly Rendered[] {
  const [ca = "", tls = ""] = authoritySecrets(release);
  const selfSigned = `${release}-selfsigned`;
  const key = { algorithm: "ECDSA", size: 256 } as const;
  return [
    Issuer(selfSigned, { namespace, spec: { selfSigned: {} } }),
    Certificate(ca, {
      namespace,
      spec: {
        secretName: ca,
        commonName: ca,
        duration: "43800h",
        isCA: true,
        privateKey: { ...key, rotationPolicy: "Never" },
        issuerRef: { name: selfSigned },
      },
    }),
    Issuer(ca, { namespace, spec: { ca: { secretName: ca } } }),
    Certificate(tls, {
      namespace,
      spec: {
        secretName: tls,
        commonName: release,
        duration: "8760h",
        renewBefore: "720h",
        ...(options.saysNoCa === true ? { isCA: false } : {}),
        privateKey: { ...key, rotationPolicy: "Always" },
        usages: ["digital signature", "key encipherment", "server auth", "client auth"],
        dnsNames: [...dnsNames],
        issuerRef: { name: ca },
      },
    }),
  ];
}
