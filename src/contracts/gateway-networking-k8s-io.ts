/**
 * Gateway API: gateways, and the routes that attach to them.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { conditions, int32, labelSelector, oneOf, some, text, texts } from "./fields.ts";

const group = "gateway.networking.k8s.io";

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

const routeStatus = Type.Optional(
  Type.Object({
    parents: Type.Array(Type.Object({ controllerName: text(), parentRef, conditions: conditions(true) })),
  }),
);

const filter = Type.Object({
  type: oneOf("RequestHeaderModifier", "ResponseHeaderModifier", "RequestRedirect", "URLRewrite"),
  requestRedirect: Type.Optional(some({ scheme: oneOf("http", "https"), statusCode: Type.Integer() })),
});

const rule = some({
  name: text(),
  matches: Type.Array(
    some({
      path: some({ type: oneOf("Exact", "PathPrefix", "RegularExpression"), value: text() }),
    }),
  ),
  filters: Type.Array(filter),
  backendRefs: Type.Array(backendRef),
  timeouts: some({ request: text(), backendRequest: text() }),
});

export const HTTPRoute = defineContract({
  group,
  version: "v1",
  kind: "HTTPRoute",
  plural: "httproutes",
  namespaced: true,
  schema: Type.Object({
    spec: some({ hostnames: texts(), parentRefs: Type.Array(parentRef), rules: Type.Array(rule) }),
    status: routeStatus,
  }),
  impact: { otherwise: "inPlace" },
});

/** Connections that are told apart by name, and not decrypted. */
export const TLSRoute = defineContract({
  group,
  version: "v1alpha2",
  kind: "TLSRoute",
  plural: "tlsroutes",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      hostnames: Type.Optional(texts()),
      parentRefs: Type.Optional(Type.Array(parentRef)),
      rules: Type.Array(Type.Object({ name: Type.Optional(text()), backendRefs: Type.Array(backendRef) })),
    }),
    status: routeStatus,
  }),
  impact: { otherwise: "inPlace" },
});

const routes = some({
  namespaces: some({ from: oneOf("All", "Selector", "Same"), selector: labelSelector() }),
  kinds: Type.Array(Type.Object({ kind: text(), group: Type.Optional(text()) })),
});

const listener = Type.Object({
  name: text(),
  port: int32(),
  protocol: text(),
  hostname: Type.Optional(text()),
  tls: Type.Optional(
    some({
      mode: oneOf("Terminate", "Passthrough"),
      certificateRefs: Type.Array(
        Type.Object({ name: text(), kind: Type.Optional(text()), group: Type.Optional(text()) }),
      ),
    }),
  ),
  allowedRoutes: Type.Optional(routes),
});

export const Gateway = defineContract({
  group,
  version: "v1",
  kind: "Gateway",
  plural: "gateways",
  shortNames: ["gtw"],
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      gatewayClassName: text(),
      listeners: Type.Array(listener, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] }),
    }),
    status: Type.Optional(
      some({
        conditions: conditions(true),
        listeners: Type.Array(
          Type.Object({
            name: text(),
            attachedRoutes: int32(),
            supportedKinds: Type.Optional(Type.Array(Type.Object({ kind: text(), group: Type.Optional(text()) }))),
            conditions: conditions(true),
          }),
          { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"] },
        ),
      }),
    ),
  }),
  impact: { otherwise: "inPlace", at: { "spec.gatewayClassName": "replaces" } },
});

export const gatewayContracts = [Gateway, HTTPRoute, TLSRoute] as const;
