/**
 * cert-manager: certificates and the issuers of a namespace.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { looseConditions, oneOf, open, some, text, textMap, texts, time } from "./fields.ts";

const group = "cert-manager.io";
const version = "v1";

export const issuerRef = Type.Object({ name: text(), kind: Type.Optional(text()), group: Type.Optional(text()) });

export const Certificate = defineContract({
  group,
  version,
  kind: "Certificate",
  plural: "certificates",
  shortNames: ["cert", "certs"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      secretName: text(),
      issuerRef,
      commonName: Type.Optional(text()),
      dnsNames: Type.Optional(texts()),
      ipAddresses: Type.Optional(texts()),
      duration: Type.Optional(text()),
      renewBefore: Type.Optional(text()),
      isCA: Type.Optional(Type.Boolean()),
      usages: Type.Optional(
        Type.Array(
          Type.Enum([
            "signing",
            "digital signature",
            "content commitment",
            "key encipherment",
            "key agreement",
            "data encipherment",
            "cert sign",
            "crl sign",
            "encipher only",
            "decipher only",
            "any",
            "server auth",
            "client auth",
            "code signing",
          ]),
        ),
      ),
      subject: Type.Optional(some({ organizations: texts(), organizationalUnits: texts() })),
      privateKey: Type.Optional(
        some({
          algorithm: oneOf("RSA", "ECDSA", "Ed25519"),
          encoding: oneOf("PKCS1", "PKCS8"),
          size: Type.Integer(),
          rotationPolicy: oneOf("Never", "Always"),
        }),
      ),
      secretTemplate: Type.Optional(some({ labels: textMap(), annotations: textMap() })),
    }),
    status: Type.Optional(
      some({
        notBefore: time(),
        notAfter: time(),
        renewalTime: time(),
        lastFailureTime: time(),
        revision: Type.Integer(),
        conditions: looseConditions(),
      }),
    ),
  }),
  // The certificate is issued anew into the same Secret.
  impact: { otherwise: "inPlace" },
});

/** How an ACME issuer is shown who owns a domain. */
const solver = some({
  http01: some({
    gatewayHTTPRoute: some({
      parentRefs: Type.Array(
        Type.Object({
          name: text(),
          namespace: Type.Optional(text()),
          kind: Type.Optional(text()),
          group: Type.Optional(text()),
          sectionName: Type.Optional(text()),
        }),
      ),
    }),
  }),
  dns01: some({
    cloudflare: some({ apiTokenSecretRef: Type.Object({ name: text(), key: Type.Optional(text()) }) }),
    route53: some({
      region: text(),
      accessKeyID: text(),
      secretAccessKeySecretRef: Type.Object({ name: text(), key: Type.Optional(text()) }),
    }),
    digitalocean: Type.Object({ tokenSecretRef: Type.Object({ name: text(), key: Type.Optional(text()) }) }),
    rfc2136: Type.Object({
      nameserver: text(),
      tsigKeyName: Type.Optional(text()),
      tsigAlgorithm: Type.Optional(text()),
      tsigSecretSecretRef: Type.Optional(Type.Object({ name: text(), key: Type.Optional(text()) })),
    }),
  }),
});

const acme = Type.Object({
  server: text(),
  privateKeySecretRef: Type.Object({ name: text(), key: Type.Optional(text()) }),
  solvers: Type.Optional(Type.Array(solver)),
});

export const Issuer = defineContract({
  group,
  version,
  kind: "Issuer",
  plural: "issuers",
  namespaced: true,
  schema: Type.Object({
    spec: some({ ca: Type.Object({ secretName: text() }), selfSigned: open<Record<never, never>>(), acme }),
    status: Type.Optional(some({ conditions: looseConditions() })),
  }),
  impact: { otherwise: "inPlace" },
});

export const certManagerContracts = [Certificate, Issuer] as const;
