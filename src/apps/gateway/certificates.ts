/** Where the certificates of a tenant's gateway come from: settings of the platform. */
import type { TenantGateway } from "../../contracts/gateway-cozystack-io.ts";
import { type ClusterValues, clusterText } from "../../sdk/context.ts";
import { refuse } from "../../sdk/errors.ts";

type GatewaySpec = NonNullable<ReturnType<typeof TenantGateway>["spec"]>;
type Dns01 = NonNullable<GatewaySpec["dns01"]>;

/** A setting; the default where it is absent or empty. */
const setting = (cluster: ClusterValues, key: string, fallback = ""): string => clusterText(cluster, key) || fallback;

function oneOf<V extends string>(cluster: ClusterValues, key: string, values: readonly [V, ...V[]]): V {
  const text = setting(cluster, key, values[0]);
  return (
    values.find((value) => value === text) ??
    refuse({
      code: "InvalidPlatform",
      field: `_cluster.${key}`,
      message: `a gateway cannot use ${JSON.stringify(text)}`,
      remedy: `An administrator sets it to one of ${values.join(", ")}, or gives a wildcard certificate.`,
    })
  );
}

function needed(cluster: ClusterValues, key: string, provider: string): string {
  return (
    setting(cluster, key) ||
    refuse({
      code: "InvalidPlatform",
      field: `_cluster.${key}`,
      message: `is empty, and certificates by ${provider} need it`,
      remedy: "An administrator sets it in the platform's configuration.",
    })
  );
}

const providers = ["cloudflare", "route53", "digitalocean", "rfc2136"] as const;

/** Who serves the domain, and by which Secret it is changed there. */
function dns01(cluster: ClusterValues): Dns01 {
  const provider = oneOf(cluster, "dns01-provider", providers);
  const at = (key: string, fallback = "") => setting(cluster, `dns01-${provider}-${key}`, fallback);
  const secret = (key: string, name = "") => ({ name: at("secret-name", name), key: at("secret-key", key) });
  const blocks: Readonly<Record<(typeof providers)[number], () => Dns01>> = {
    cloudflare: () => ({
      cloudflare: { apiTokenSecretRef: secret("api-token", "cloudflare-api-token-secret") },
    }),
    route53: () => ({
      route53: {
        region: needed(cluster, "dns01-route53-region", "Route 53"),
        accessKeyID: at("access-key-id"),
        secretAccessKeySecretRef: secret("secret-access-key"),
      },
    }),
    digitalocean: () => ({
      digitalocean: { tokenSecretRef: secret("access-token", "digitalocean-api-token-secret") },
    }),
    rfc2136: () => ({
      rfc2136: {
        nameserver: needed(cluster, "dns01-rfc2136-nameserver", "RFC 2136"),
        tsigKeyName: at("tsig-key-name"),
        tsigAlgorithm: at("tsig-algorithm", "HMACSHA256"),
        tsigSecretSecretRef: secret("tsig-secret-key"),
      },
    }),
  };
  return { provider, ...blocks[provider]() };
}

/** A wildcard certificate of the platform's own counts before everything that could be issued. */
export function certificates(cluster: ClusterValues): Omit<GatewaySpec, "apex"> {
  const wildcard = setting(cluster, "wildcard-secret-name");
  if (wildcard !== "") return { certMode: "existingSecret", wildcardSecretRef: { name: wildcard } };
  const certMode = oneOf(cluster, "solver", ["http01", "dns01"]);
  const issuerName = oneOf(cluster, "issuer-name", ["letsencrypt-prod", "letsencrypt-stage"]);
  return { certMode, issuerName, ...(certMode === "dns01" ? { dns01: dns01(cluster) } : {}) };
}
