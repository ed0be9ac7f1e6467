/**
 * `_cluster`: the installation-wide values that every application may read, derived from the platform's configuration
 * by one pure function (install.md 5.10). Flags and numbers are text there; consumers compare with `"true"`.
 */
import { CozystackError } from "../kube/errors.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import type { ClusterValues, Json } from "../sdk/context.ts";
import { type PlatformPackageSpec, packageSpecOf, platformValues, type Values } from "./platform-values.ts";

/** What is read from the cluster beside the Package. */
export interface ClusterFacts {
  /** `ca.crt` of ConfigMap `kube-system/kube-root-ca.crt`, PEM. */
  readonly rootCertificate?: string;
  /** `data` of the legacy ConfigMap `cozy-system/cozystack`, where an old installation still has it. */
  readonly legacy?: Readonly<Record<string, string>>;
}

/** The platform's configuration cannot be used; `field` is the path below the platform's values. */
export class PlatformValuesInvalid extends CozystackError {
  readonly field: string;
  constructor(field: string, problem: string) {
    super(
      "PlatformValuesInvalid",
      `platform value ${field}: ${problem}`,
      "Correct the value in Package cozystack.cozystack-platform, spec.components.platform.values.",
    );
    this.field = field;
  }
}

/**
 * The `_cluster` values of a platform Package; of the built-in defaults where there is none.
 * Throws `PlatformValuesInvalid` for a value of the wrong type.
 */
export function clusterValues(spec: PlatformPackageSpec | undefined, facts: ClusterFacts = {}): ClusterValues {
  const values = platformValues(spec);
  const text = (path: string): string => scalar(values, path);
  const list = (path: string): string => commaList(values, path);
  const publishing = (key: string): string => text(`publishing.${key}`);
  const dns01 = (key: string): string => text(`publishing.certificates.dns01.${key}`);
  const branding = valueAt(values, "branding");
  const bundle = text("bundles.system.variant");
  const legacy = facts.legacy ?? {};
  return {
    "root-host": legacy["root-host"] || publishing("host"),
    "bundle-name": bundle,
    solver: publishing("certificates.solver"),
    "issuer-name": publishing("certificates.issuerName"),
    ...wildcard(values),
    "dns01-provider": dns01("provider"),
    "dns01-cloudflare-secret-name": dns01("cloudflare.secretName"),
    "dns01-cloudflare-secret-key": dns01("cloudflare.secretKey"),
    "dns01-route53-region": dns01("route53.region"),
    "dns01-route53-access-key-id": dns01("route53.accessKeyID"),
    "dns01-route53-secret-name": dns01("route53.secretName"),
    "dns01-route53-secret-key": dns01("route53.secretKey"),
    "dns01-digitalocean-secret-name": dns01("digitalocean.secretName"),
    "dns01-digitalocean-secret-key": dns01("digitalocean.secretKey"),
    "dns01-rfc2136-nameserver": dns01("rfc2136.nameserver"),
    "dns01-rfc2136-tsig-key-name": dns01("rfc2136.tsigKeyName"),
    "dns01-rfc2136-tsig-algorithm": dns01("rfc2136.tsigAlgorithm"),
    "dns01-rfc2136-secret-name": dns01("rfc2136.secretName"),
    "dns01-rfc2136-secret-key": dns01("rfc2136.secretKey"),
    "oidc-enabled": text("authentication.oidc.enabled"),
    "oidc-insecure-skip-verify": text("authentication.oidc.insecureSkipVerify"),
    "extra-keycloak-redirect-uri-for-dashboard": text("authentication.oidc.keycloakExtraRedirectUri"),
    "keycloak-internal-url": text("authentication.oidc.keycloakInternalUrl"),
    "expose-services": list("publishing.exposedServices"),
    "expose-ingress": publishing("ingressName"),
    "expose-ingress-admin": publishing("ingressNameAdmin"),
    "expose-external-ips": list("publishing.externalIPs"),
    "load-balancer-class": publishing("loadBalancerClass"),
    "proxy-protocol": publishing("proxyProtocol"),
    "gateway-enabled": text("gateway.enabled"),
    "gateway-attached-namespaces": list("gateway.attachedNamespaces"),
    // Absent counts as true: only an explicit false switches the root tenant's monitoring off.
    "monitoring-enabled": text("monitoring.rootEnabled") || "true",
    "cluster-domain": text("networking.clusterDomain"),
    "api-server-endpoint":
      (bundle === "isp-full-generic" && legacy["api-server-endpoint"]) || publishing("apiServerEndpoint"),
    ...(isRecord(branding) && Object.keys(branding).length > 0 && isJson(branding) ? { branding } : {}),
    "cpu-allocation-ratio": text("resources.cpuAllocationRatio"),
    "memory-allocation-ratio": text("resources.memoryAllocationRatio"),
    "ephemeral-storage-allocation-ratio": text("resources.ephemeralStorageAllocationRatio"),
    // Only where there is one: upstream has the buffer as a flag, and tenants see these values.
    ...(Number(text("resources.tenantQuotaBufferPercent")) > 0
      ? { "tenant-quota-buffer-percent": text("resources.tenantQuotaBufferPercent") }
      : {}),
    scheduling: { globalAppTopologySpreadConstraints: text("scheduling.globalAppTopologySpreadConstraints") },
    "kube-root-ca": Buffer.from(facts.rootCertificate ?? "", "utf8").toString("base64"),
  };
}

/** The same for a Package as the API server gives it; what `contextSource` derives its values with. */
export function clusterValuesOf(inputs: ClusterFacts & { readonly package: unknown }): ClusterValues {
  return clusterValues(packageSpecOf(inputs.package), inputs);
}

/** The decision table of install.md 5.4: a given Secret always wins; the platform issues one only by DNS-01 without a Gateway. */
function wildcard(values: Values): ClusterValues {
  const given = scalar(values, "publishing.certificates.wildcardSecretName");
  const issue =
    given === "" &&
    scalar(values, "publishing.certificates.solver") === "dns01" &&
    scalar(values, "publishing.certificates.wildcard") === "true" &&
    scalar(values, "gateway.enabled") !== "true";
  return {
    "wildcard-secret-name": issue ? "cozystack-wildcard-tls" : given,
    "wildcard-issue": String(issue),
  };
}

function scalar(values: Values, path: string): string {
  const value = valueAt(values, ...path.split("."));
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new PlatformValuesInvalid(path, "must be a string, a number or a boolean");
}

function commaList(values: Values, path: string): string {
  const value = valueAt(values, ...path.split("."));
  if (value === undefined || value === null) return "";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
  throw new PlatformValuesInvalid(path, "must be a list of strings");
}

function isJson(value: unknown): value is Json {
  return value !== undefined;
}
