/**
 * What a tenant's gateway listens to.
 */
import { certificateName, type GatewayObject, hostPart, placeOf, type TenantGatewayObject } from "./names.ts";

type Listener = GatewayObject["spec"]["listeners"][number];

/** Gateway API takes so many listeners of one Gateway. */
const limit = 64;

export interface Listening {
  readonly hostnames: readonly string[];
  readonly children: readonly string[];
  /** The Secret of the one certificate for all names; undefined where each name has its own. */
  readonly secret: string | undefined;
  /** Label of the namespaces whose routes are served. */
  readonly label: Readonly<Record<string, string>>;
}

/**
 * In this order: unencrypted, for redirects and the proofs of certificates alone; encrypted ones; those that are not decrypted.
 * Host names that are too many come last and are left out: {@link roomFor}.
 */
export function listenersOf(gateway: TenantGatewayObject, listening: Listening): Listener[] {
  const namespace = placeOf(gateway);
  const apex = gateway.spec?.apex ?? "";
  // Equal in all of them: the data plane merges listeners of a port, and drops routes that one of them does not take.
  const allowedRoutes = {
    namespaces: { from: "Selector" as const, selector: { matchLabels: listening.label } },
    kinds: [
      { group: "gateway.networking.k8s.io", kind: "HTTPRoute" },
      { group: "gateway.networking.k8s.io", kind: "TLSRoute" },
    ],
  };
  const encrypted = (name: string, hostname: string, secret: string): Listener => ({
    name,
    port: 443,
    protocol: "HTTPS",
    hostname,
    tls: { mode: "Terminate", certificateRefs: [{ kind: "Secret", name: secret }] },
    allowedRoutes,
  });
  const { secret } = listening;
  const passed = (gateway.spec?.tlsPassthroughServices ?? []).map(
    (service): Listener => ({
      name: `tls-${service}`,
      port: 443,
      protocol: "TLS",
      hostname: `${service}.${apex}`,
      tls: { mode: "Passthrough" },
      allowedRoutes,
    }),
  );
  const decrypted =
    secret === undefined
      ? listening.hostnames.map((hostname) =>
          encrypted(`https-${hostPart(hostname)}`, hostname, certificateName(gateway.metadata.name, hostname)),
        )
      : [
          encrypted("https", `*.${apex}`, secret),
          encrypted("https-apex", apex, secret),
          ...listening.children.map((child) => encrypted(`https-child-${hostPart(child)}`, `*.${child}`, secret)),
        ];
  return [open(namespace), ...decrypted.slice(0, limit - 1 - passed.length), ...passed];
}

function open(namespace: string): Listener {
  const values = [namespace, "cozy-cert-manager"];
  return {
    name: "http",
    port: 80,
    protocol: "HTTP",
    allowedRoutes: {
      namespaces: {
        from: "Selector",
        selector: { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "In", values }] },
      },
    },
  };
}

/** How many host names a gateway can serve besides its other listeners. */
export function roomFor(gateway: TenantGatewayObject): number {
  return limit - 1 - (gateway.spec?.tlsPassthroughServices ?? []).length;
}
