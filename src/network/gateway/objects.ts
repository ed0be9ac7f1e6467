/**
 * The objects that serve a tenant's gateway: what listens, who issues certificates, and which.
 */
import { Certificate, Issuer } from "../../contracts/cert-manager-io.ts";
import { Gateway, HTTPRoute } from "../../contracts/gateway-networking-k8s-io.ts";
import { CozystackError } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import { listenersOf } from "./listeners.ts";
import {
  certificateName,
  GATEWAY_LABEL,
  type GatewayObject,
  issuerName,
  managedBy,
  ownerOf,
  placeOf,
  redirectName,
  type TenantGatewayObject,
  wildcardName,
} from "./names.ts";

const servers = {
  "letsencrypt-prod": "https://acme-v02.api.letsencrypt.org/directory",
  "letsencrypt-stage": "https://acme-staging-v02.api.letsencrypt.org/directory",
} as const;

/** Why a tenant's gateway cannot be made, in words for its condition. Trying again without a change is useless. */
export class GatewayProblem extends CozystackError {
  constructor(message: string, remedy: string) {
    super("GatewayNotMade", message, remedy);
  }
}

/** Host names that routes ask for, and domains of tenants that use the gateway as theirs. */
export interface Served {
  readonly hostnames: readonly string[];
  readonly children: readonly string[];
}

function made(gateway: TenantGatewayObject, labels: Readonly<Record<string, string>> = {}) {
  return {
    namespace: placeOf(gateway),
    labels: { ...managedBy, ...labels },
    metadata: { ownerReferences: [ownerOf(gateway)] },
  };
}

/** The Secret with the certificate for the domain and everything below it; undefined where each name has its own. */
function commonSecret({ metadata, spec }: TenantGatewayObject): string | undefined {
  if (spec?.certMode === "dns01") return wildcardName(metadata.name);
  if (spec?.certMode !== "existingSecret") return undefined;
  const name = spec.wildcardSecretRef?.name ?? "";
  if (name === "") {
    throw new GatewayProblem(
      "spec.wildcardSecretRef.name: is empty, and certMode is existingSecret",
      "Name the Secret with the certificate, or have certificates issued.",
    );
  }
  return name;
}

export function gatewayOf(gateway: TenantGatewayObject, served: Served): GatewayObject {
  const { name } = gateway.metadata;
  const namespace = placeOf(gateway);
  return Gateway(name, {
    ...made(gateway, { "cozystack.io/gateway": namespace }),
    spec: {
      gatewayClassName: gateway.spec?.gatewayClassName ?? "cilium",
      listeners: listenersOf(gateway, {
        ...served,
        secret: commonSecret(gateway),
        label: { [GATEWAY_LABEL]: namespace },
      }),
    },
  });
}

const unlessEmpty = (key: string, text: string | undefined): object => ((text ?? "") === "" ? {} : { [key]: text });

/** How the owner of the domain is proven, by whoever serves it. */
function dns01(gateway: TenantGatewayObject): object {
  const settings = gateway.spec?.dns01;
  const provider = settings?.provider ?? "cloudflare";
  const missing = () =>
    new GatewayProblem(
      `spec.dns01.${provider}: is missing, and certificates need it`,
      "Say how the provider is reached, or choose another one.",
    );
  if (provider === "route53") {
    if (settings?.route53 === undefined) throw missing();
    const { region, accessKeyID, secretAccessKeySecretRef } = settings.route53;
    const secret = (secretAccessKeySecretRef?.name ?? "") === "" ? {} : { secretAccessKeySecretRef };
    return { route53: { region, ...unlessEmpty("accessKeyID", accessKeyID), ...secret } };
  }
  const block =
    provider === "cloudflare"
      ? settings?.cloudflare
      : provider === "digitalocean"
        ? settings?.digitalocean
        : settings?.rfc2136;
  if (block === undefined) throw missing();
  return { [provider]: block };
}

/** Who issues the certificates; undefined where there is one already. */
export function issuerOf(gateway: TenantGatewayObject): KubeObject | undefined {
  const { spec, metadata } = gateway;
  if (spec?.certMode === "existingSecret") return undefined;
  const parent = {
    group: "gateway.networking.k8s.io",
    kind: "Gateway",
    name: metadata.name,
    namespace: placeOf(gateway),
    sectionName: "http",
  };
  const solver =
    spec?.certMode === "dns01" ? { dns01: dns01(gateway) } : { http01: { gatewayHTTPRoute: { parentRefs: [parent] } } };
  return Issuer(issuerName(metadata.name), {
    ...made(gateway),
    spec: {
      acme: {
        server: servers[spec?.issuerName ?? "letsencrypt-prod"],
        privateKeySecretRef: { name: `${metadata.name}-acme-account` },
        solvers: [solver],
      },
    },
  });
}

/** The certificates that are wanted: one for all names, one for each, or none. */
export function certificatesOf(gateway: TenantGatewayObject, { hostnames, children }: Served): readonly KubeObject[] {
  const { name } = gateway.metadata;
  const issuerRef = { name: issuerName(name), kind: "Issuer", group: "cert-manager.io" };
  const mode = gateway.spec?.certMode ?? "http01";
  if (mode === "existingSecret") return [];
  if (mode === "dns01") {
    const apexes = [gateway.spec?.apex ?? "", ...children];
    const secretName = wildcardName(name);
    const dnsNames = [...new Set(apexes.flatMap((apex) => [apex, `*.${apex}`]))];
    return [Certificate(secretName, { ...made(gateway), spec: { secretName, issuerRef, dnsNames } })];
  }
  return hostnames.map((hostname) => {
    const secretName = certificateName(name, hostname);
    return Certificate(secretName, {
      ...made(gateway, { "cozystack.io/tenantgateway": name, "cozystack.io/per-listener-cert": "true" }),
      spec: { secretName, issuerRef, dnsNames: [hostname] },
    });
  });
}

/** Whoever comes without encryption is sent to the same address with it. */
export function redirectOf(gateway: TenantGatewayObject): KubeObject {
  const { name } = gateway.metadata;
  return HTTPRoute(redirectName(name), {
    ...made(gateway, { "cozystack.io/tenantgateway": name }),
    spec: {
      parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name, sectionName: "http" }],
      rules: [{ filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https", statusCode: 301 } }] }],
    },
  });
}
