/**
 * A tenant's gateway: the domain it serves and where its certificates come from. Our controller makes of it a Gateway, an
 * Issuer and Certificates (src/network/gateway).
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { conditions, int64 } from "./fields.ts";

const atomic = { "x-kubernetes-map-type": "atomic" } as const;

const secretKey = (description: string) =>
  Type.Object(
    {
      key: Type.String({ description: "Key in the Secret." }),
      name: Type.Optional(Type.String({ description: "Name of the Secret.", default: "" })),
      optional: Type.Optional(Type.Boolean({ description: "Has no effect." })),
    },
    { description, ...atomic },
  );

const dns01 = Type.Object(
  {
    provider: Type.Optional(
      Type.String({
        description: "Who serves the domain; its fields must be given.",
        default: "cloudflare",
        enum: ["cloudflare", "route53", "digitalocean", "rfc2136"],
      }),
    ),
    cloudflare: Type.Optional(
      Type.Object({ apiTokenSecretRef: secretKey("Token of the API.") }, { description: "Cloudflare." }),
    ),
    route53: Type.Optional(
      Type.Object(
        {
          region: Type.String({ description: "Region." }),
          accessKeyID: Type.Optional(Type.String({ description: "Access key." })),
          secretAccessKeySecretRef: Type.Optional(secretKey("Secret access key.")),
        },
        { description: "Route 53." },
      ),
    ),
    digitalocean: Type.Optional(
      Type.Object({ tokenSecretRef: secretKey("Token of the API.") }, { description: "DigitalOcean." }),
    ),
    rfc2136: Type.Optional(
      Type.Object(
        {
          nameserver: Type.String({ description: "Name server, with its port." }),
          tsigKeyName: Type.String({ description: "Name of the key." }),
          tsigAlgorithm: Type.Optional(Type.String({ description: "Algorithm of the key.", default: "HMACSHA256" })),
          tsigSecretSecretRef: secretKey("The key."),
        },
        { description: "A name server with dynamic updates." },
      ),
    ),
  },
  { description: "How the domain's owner is proven by DNS." },
);

const listener = Type.Object({
  name: Type.String({ description: "Name of the Gateway's listener." }),
  ready: Type.Boolean({ description: "Whether the data plane serves it." }),
  hostname: Type.Optional(Type.String({ description: "Names it serves." })),
  certificateName: Type.Optional(Type.String({ description: "Secret with its certificate." })),
  reason: Type.Optional(Type.String({ description: "Why it is not served." })),
});

export const TenantGateway = defineContract({
  group: "gateway.cozystack.io",
  version: "v1alpha1",
  kind: "TenantGateway",
  plural: "tenantgateways",
  shortNames: ["tgw"],
  namespaced: true,
  columns: [
    { name: "Apex", type: "string", jsonPath: ".spec.apex" },
    { name: "Mode", type: "string", jsonPath: ".spec.certMode" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  schema: Type.Object({
    spec: Type.Optional(
      Type.Object(
        {
          apex: Type.String({ description: "Domain that is served, with everything below it." }),
          certMode: Type.Optional(
            Type.Unsafe<"http01" | "dns01" | "existingSecret">({
              type: "string",
              description: "Where certificates come from.",
              default: "http01",
              enum: ["http01", "dns01", "existingSecret"],
            }),
          ),
          issuerName: Type.Optional(
            Type.Unsafe<"letsencrypt-prod" | "letsencrypt-stage">({
              type: "string",
              description: "Who issues certificates.",
              default: "letsencrypt-prod",
              enum: ["letsencrypt-prod", "letsencrypt-stage"],
            }),
          ),
          dns01: Type.Optional(dns01),
          wildcardSecretRef: Type.Optional(
            Type.Object(
              { name: Type.Optional(Type.String({ description: "Name of the Secret.", default: "" })) },
              { description: "Certificate for the domain and everything below it.", ...atomic },
            ),
          ),
          attachedNamespaces: Type.Optional(
            Type.Array(Type.String(), { description: "Namespaces besides tenants' whose routes are served." }),
          ),
          tlsPassthroughServices: Type.Optional(
            Type.Array(Type.String(), { description: "Names below the domain whose connections are not decrypted." }),
          ),
          gatewayClassName: Type.Optional(
            Type.String({ description: "GatewayClass of the Gateway.", default: "cilium" }),
          ),
        },
        { description: "What is served, and with which certificates." },
      ),
    ),
    status: Type.Optional(
      Type.Object(
        {
          observedGeneration: Type.Optional(int64()),
          conditions: Type.Optional(conditions(true)),
          listeners: Type.Optional(
            Type.Array(listener, {
              description: "Listeners of the Gateway.",
              "x-kubernetes-list-type": "map",
              "x-kubernetes-list-map-keys": ["name"],
            }),
          ),
        },
        { description: "How far the gateway is." },
      ),
    ),
  }),
  impact: { otherwise: "inPlace" },
});

export const tenantGatewayContracts = [TenantGateway] as const;
