/**
 * Gateway API: routes.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { conditions, int32, oneOf, some, text, texts } from "./fields.ts";

const parentRef = Type.Object({
  name: text(),
  namespace: Type.Optional(text()),
  group: Type.Optional(text()),
  kind: Type.Optional(text()),
  sectionName: Type.Optional(text()),
  port: Type.Optional(int32()),
});

const backendRef = Type.Object({
  name: text(),
  namespace: Type.Optional(text()),
  group: Type.Optional(text()),
  kind: Type.Optional(text()),
  port: Type.Optional(int32()),
  weight: Type.Optional(int32()),
});

const rule = some({
  name: text(),
  matches: Type.Array(
    some({
      path: some({ type: oneOf("Exact", "PathPrefix", "RegularExpression"), value: text() }),
    }),
  ),
  backendRefs: Type.Array(backendRef),
  timeouts: some({ request: text(), backendRequest: text() }),
});

export const HTTPRoute = defineContract({
  group: "gateway.networking.k8s.io",
  version: "v1",
  kind: "HTTPRoute",
  plural: "httproutes",
  namespaced: true,
  schema: Type.Object({
    spec: some({ hostnames: texts(), parentRefs: Type.Array(parentRef), rules: Type.Array(rule) }),
    status: Type.Optional(
      Type.Object({
        parents: Type.Array(Type.Object({ controllerName: text(), parentRef, conditions: conditions() })),
      }),
    ),
  }),
  impact: { otherwise: "inPlace" },
});

export const gatewayContracts = [HTTPRoute] as const;
