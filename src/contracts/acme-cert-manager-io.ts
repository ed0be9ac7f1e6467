/**
 * cert-manager: how far an ACME order is. We only read these, to say why a certificate is late.
 */
import { Type } from "typebox";
import { issuerRef } from "./cert-manager-io.ts";
import { defineContract } from "./contract.ts";
import { oneOf, open, some, text, texts } from "./fields.ts";

const group = "acme.cert-manager.io";
const version = "v1";

const state = oneOf("valid", "ready", "pending", "processing", "invalid", "expired", "errored");

export const Challenge = defineContract({
  group,
  version,
  kind: "Challenge",
  plural: "challenges",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      type: oneOf("HTTP-01", "DNS-01"),
      dnsName: text(),
      authorizationURL: text(),
      url: text(),
      key: text(),
      token: text(),
      issuerRef,
      solver: open(),
      wildcard: Type.Optional(Type.Boolean()),
    }),
    status: Type.Optional(some({ presented: Type.Boolean(), processing: Type.Boolean(), reason: text(), state })),
  }),
  impact: { otherwise: "replaces" },
});

export const Order = defineContract({
  group,
  version,
  kind: "Order",
  plural: "orders",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      issuerRef,
      request: text(),
      commonName: Type.Optional(text()),
      dnsNames: Type.Optional(texts()),
    }),
    status: Type.Optional(some({ reason: text(), state, url: text() })),
  }),
  impact: { otherwise: "replaces" },
});

export const acmeContracts = [Challenge, Order] as const;
