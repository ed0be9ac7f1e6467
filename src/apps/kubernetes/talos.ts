/** The authority of the cluster's machines, and the certificate of the server that signs theirs. */
import { Certificate, Issuer } from "../../contracts/cert-manager-io.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { controlPlaneNames } from "../../sdk/node-pool/talos-config.ts";
import { marked } from "./names.ts";
import type { Input } from "./spec.ts";

/** Secrets of the two certificates. They stay when the Certificates go. */
export const certificateSecrets = (release: string): readonly string[] => [
  `${release}-talos-ca`,
  `${release}-talos-tls-cert`,
];

export function talosCertificates(input: Input): readonly Rendered[] {
  const { release, namespace } = input;
  const [authority = "", server = ""] = certificateSecrets(release);
  const bootstrap = `${release}-talos-bootstrap`;
  const own = marked(input);
  const issuer = (name: string) => ({ name, kind: "Issuer", group: "cert-manager.io" });
  const privateKey = { algorithm: "Ed25519" } as const;
  return [
    Issuer(bootstrap, { ...own, spec: { selfSigned: {} } }),
    Certificate(authority, {
      ...own,
      spec: {
        secretName: authority,
        isCA: true,
        commonName: "talos",
        duration: "87600h",
        renewBefore: "720h",
        privateKey,
        issuerRef: issuer(bootstrap),
      },
    }),
    Issuer(authority, { ...own, spec: { ca: { secretName: authority } } }),
    Certificate(server, {
      ...own,
      spec: {
        secretName: server,
        duration: "8760h",
        renewBefore: "720h",
        privateKey,
        usages: ["digital signature", "server auth"],
        // No address: the signer reads its certificate once, when it starts.
        dnsNames: [...controlPlaneNames({ cluster: release, namespace })],
        issuerRef: issuer(authority),
      },
    }),
  ];
}
