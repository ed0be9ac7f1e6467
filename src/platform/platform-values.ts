/**
 * The platform's configuration as its administrator writes it: built-in defaults, the preset of a Package variant, and
 * the values of Package `cozystack.cozystack-platform`, merged the way Helm merges (maps deeply, null removes a default).
 */
import { isRecord, valueAt } from "../kube/json.ts";
import type { Json } from "../sdk/context.ts";

export type Values = { readonly [key: string]: Json };

/** The `spec` of Package `cozystack.cozystack-platform`, as far as it configures the platform. */
export interface PlatformPackageSpec {
  readonly variant?: string;
  readonly components?: { readonly platform?: { readonly values?: Values } };
}

/** Name of the cluster-scoped Package that configures the platform. */
export const PLATFORM_PACKAGE = "cozystack.cozystack-platform";

/** What holds where the administrator says nothing. Only keys that something reads. */
export const platformDefaults: Values = {
  bundles: { system: { enabled: false, variant: "isp-full" } },
  networking: { clusterDomain: "cozy.local" },
  publishing: {
    host: "example.org",
    ingressName: "tenant-root",
    ingressNameAdmin: "",
    exposedServices: ["api", "dashboard", "vm-exportproxy", "cdi-uploadproxy"],
    apiServerEndpoint: "",
    externalIPs: [],
    loadBalancerClass: "",
    proxyProtocol: false,
    certificates: {
      solver: "http01",
      issuerName: "letsencrypt-prod",
      wildcard: false,
      wildcardSecretName: "",
      dns01: {
        provider: "cloudflare",
        cloudflare: { secretName: "cloudflare-api-token-secret", secretKey: "api-token" },
        route53: { region: "", accessKeyID: "", secretName: "", secretKey: "secret-access-key" },
        digitalocean: { secretName: "digitalocean-api-token-secret", secretKey: "access-token" },
        rfc2136: {
          nameserver: "",
          tsigKeyName: "",
          tsigAlgorithm: "HMACSHA256",
          secretName: "",
          secretKey: "tsig-secret-key",
        },
      },
    },
  },
  authentication: {
    oidc: {
      enabled: false,
      insecureSkipVerify: false,
      keycloakExtraRedirectUri: "",
      keycloakInternalUrl: "http://keycloak-http.cozy-keycloak.svc:8080/realms/cozy",
    },
  },
  gateway: {
    enabled: false,
    attachedNamespaces: [
      "cozy-cert-manager",
      "cozy-dashboard",
      "cozy-keycloak",
      "cozy-system",
      "cozy-harbor",
      "cozy-bucket",
      "cozy-kubevirt",
      "cozy-kubevirt-cdi",
      "cozy-monitoring",
      "cozy-linstor-gui",
      "default",
    ],
  },
  monitoring: { rootEnabled: true },
  scheduling: { globalAppTopologySpreadConstraints: "" },
  branding: {},
  resources: {
    cpuAllocationRatio: 10,
    memoryAllocationRatio: 1,
    ephemeralStorageAllocationRatio: 40,
    tenantQuotaBufferPercent: 0,
  },
};

/** What a Package variant sets before the administrator's own values. Unknown variants set nothing, as `default` does. */
const presets: Readonly<Record<string, Values>> = {
  "isp-full": { bundles: { system: { enabled: true, variant: "isp-full" } } },
  "isp-full-generic": { bundles: { system: { enabled: true, variant: "isp-full-generic" } } },
  "isp-hosted": { bundles: { system: { enabled: true, variant: "isp-hosted" } } },
};

/** `over` on top of `base`: maps are merged key by key, null removes the key, anything else replaces. */
export function mergeValues(base: Values, over: Values): Values {
  const merged: Record<string, Json> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(merged, key) ? merged[key] : undefined;
    if (value === null) delete merged[key];
    else if (isRecord(below) && isRecord(value)) merged[key] = mergeValues(below, value);
    else merged[key] = value;
  }
  return merged;
}

/** Effective platform values; `spec` is undefined where the Package does not exist. */
export function platformValues(spec: PlatformPackageSpec | undefined): Values {
  const preset = presets[spec?.variant ?? ""] ?? {};
  return mergeValues(mergeValues(platformDefaults, preset), spec?.components?.platform?.values ?? {});
}

/** The PlatformPackageSpec within a Package as read from the API; anything of another shape counts as absent. */
export function packageSpecOf(pkg: unknown): PlatformPackageSpec | undefined {
  const spec = valueAt(pkg, "spec");
  if (!isRecord(spec)) return undefined;
  const values = valueAt(spec, "components", "platform", "values");
  return {
    ...(typeof spec["variant"] === "string" ? { variant: spec["variant"] } : {}),
    ...(isValues(values) ? { components: { platform: { values } } } : {}),
  };
}

// What the API server hands out is JSON, so a record of it is a record of JSON values.
function isValues(value: unknown): value is Values {
  return isRecord(value);
}
