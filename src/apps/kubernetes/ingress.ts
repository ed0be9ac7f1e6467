/** HTTP into the cluster by way of the tenant's own ingress: it hands requests to the machines' node ports. */
import { Service } from "../../contracts/core.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { ingressPorts } from "./addons/web.ts";
import { tenantLabels } from "./names.ts";
import type { Input } from "./spec.ts";

export const ingressName = (release: string): string => `${release}-ingress-nginx`;

export function ingress(input: Input): readonly Rendered[] {
  const { release, namespace, spec, context } = input;
  const { enabled, exposeMethod, hosts } = spec.addons.ingressNginx;
  if (!enabled || exposeMethod !== "Proxied") return [];
  const name = ingressName(release);
  const labels = tenantLabels(input);
  const path = (number: number) => ({
    path: "/",
    pathType: "ImplementationSpecific" as const,
    backend: { service: { name, port: { number } } },
  });
  const plain = `${namespace}-${name}-80`;
  const service = Service(name, {
    labels,
    spec: {
      selector: { "cluster.x-k8s.io/cluster-name": release, "node-role.kubernetes.io/ingress-nginx": "" },
      ports: [
        { name: "http", port: 80, targetPort: ingressPorts.http, appProtocol: "http" },
        { name: "https", port: 443, targetPort: ingressPorts.https, appProtocol: "https" },
      ],
    },
  });
  if (hosts.length === 0) return [service];
  return [
    service,
    Ingress(name, {
      labels,
      annotations: {
        "nginx.ingress.kubernetes.io/backend-protocol": "AUTO_HTTP",
        "nginx.ingress.kubernetes.io/ssl-passthrough": "true",
        "nginx.ingress.kubernetes.io/ssl-redirect": "false",
        // Of two backends for one path only the first is taken, which speaks TLS.
        "nginx.ingress.kubernetes.io/configuration-snippet": [
          "if ($scheme = http) {",
          `  set $proxy_upstream_name "${plain}";`,
          "  set $proxy_host $proxy_upstream_name;",
          "}",
          "",
        ].join("\n"),
      },
      spec: {
        ingressClassName: context.namespace.ingress,
        rules: hosts.map((host) => ({ host, http: { paths: [path(443), path(80)] } })),
      },
    }),
  ];
}
