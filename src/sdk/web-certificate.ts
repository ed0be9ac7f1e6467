/**
 * The certificate of a web page or API that an Ingress publishes: who issues it, and whether one of its own is needed at all.
 */
import { type AppContext, clusterText } from "./context.ts";

/** Whether one certificate serves all hosts of the installation. */
export const isWildcard = ({ cluster }: Pick<AppContext, "cluster">): boolean =>
  clusterText(cluster, "wildcard-secret-name") !== "";

/** Annotations of an Ingress that have its certificate issued; none where one certificate serves all hosts. */
export function issuerAnnotations(
  context: Pick<AppContext, "cluster" | "namespace">,
): Readonly<Record<string, string>> {
  const { cluster, namespace } = context;
  if (isWildcard(context)) return {};
  const solver = clusterText(cluster, "solver") || "http01";
  return {
    "cert-manager.io/cluster-issuer": clusterText(cluster, "issuer-name") || "letsencrypt-prod",
    ...(solver === "http01" ? { "acme.cert-manager.io/http01-ingress-ingressclassname": namespace.ingress } : {}),
  };
}
