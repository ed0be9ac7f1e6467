/**
 * By what members and clients know each other: two authorities, one for members among themselves and one for clients. Given to
 * the operator as Secrets, since a cluster cannot change how it gets them, and adopted ones have them so.
 */
import { Certificate, Issuer } from "../../contracts/cert-manager-io.ts";
import { Secret } from "../../contracts/core.ts";
import { createOnly, type Rendered } from "../../sdk/manifest.ts";
import { cluster, certificates as names, secretOf } from "./names.ts";
import type { Input } from "./spec.ts";

const issuers = { selfSigned: "etcd-selfsigning-issuer", clients: "etcd-issuer", peers: "etcd-peer-issuer" } as const;

type CertificateSpec = ReturnType<typeof Certificate>["spec"];

/** What all of them have in common. */
function certificate({ namespace, release }: Input, name: string, spec: Omit<CertificateSpec, "secretName">): Rendered {
  return Certificate(name, {
    spec: {
      ...spec,
      secretName: secretOf(name),
      subject: { organizations: [namespace], organizationalUnits: [release] },
      privateKey: { algorithm: "RSA", size: 4096, rotationPolicy: spec.isCA === true ? "Never" : "Always" },
    },
  });
}

/** An authority for ten years. Its key stays: whatever trusts it would have to be told another one. */
function authority(input: Input, name: string): Rendered {
  return certificate(input, name, {
    commonName: name,
    duration: "87600h",
    isCA: true,
    usages: ["signing", "key encipherment", "cert sign"],
    issuerRef: { name: issuers.selfSigned, kind: "Issuer", group: "cert-manager.io" },
  });
}

/** Members have random names, so that only wildcards fit those that replace others. */
function member(
  input: Input,
  name: string,
  issuer: string,
  auth: readonly ("server auth" | "client auth")[],
): Rendered {
  const service = `${cluster}.${input.namespace}.svc`;
  return certificate(input, name, {
    commonName: name,
    isCA: false,
    usages: [...auth, "signing", "key encipherment"],
    dnsNames: [cluster, service, `*.${service}`, `*.${cluster}-headless.${input.namespace}.svc`, "localhost"],
    ipAddresses: ["127.0.0.1"],
    issuerRef: { name: issuer, kind: "Issuer" },
  });
}

export function certificates(input: Input): readonly Rendered[] {
  return [
    Issuer(issuers.selfSigned, { spec: { selfSigned: {} } }),
    Issuer(issuers.peers, { spec: { ca: { secretName: secretOf(names.peerAuthority) } } }),
    Issuer(issuers.clients, { spec: { ca: { secretName: secretOf(names.authority) } } }),
    authority(input, names.peerAuthority),
    authority(input, names.authority),
    member(input, names.server, issuers.clients, ["client auth", "server auth"]),
    member(input, names.peer, issuers.peers, ["server auth", "client auth"]),
    certificate(input, names.client, {
      commonName: "root",
      usages: ["signing", "key encipherment", "client auth"],
      issuerRef: { name: issuers.clients, kind: "Issuer" },
    }),
    // Kamaji takes a DataStore only where the Secrets it names exist: they are there before cert-manager fills them.
    ...[names.authority, names.client].map((name) => createOnly(Secret(secretOf(name)))),
  ];
}
