/**
 * The kubeconfig by which a tenant's people sign in through the platform's Keycloak.
 */

import { stringify } from "yaml";
import { type ClusterValues, clusterText } from "../../sdk/context.ts";
import { issuerOf } from "../../sdk/keycloak.ts";

export function kubeconfig(namespace: string, cluster: ClusterValues): string {
  const server = clusterText(cluster, "management-kubeconfig-endpoint") || clusterText(cluster, "api-server-endpoint");
  const document = {
    apiVersion: "v1",
    clusters: [
      {
        name: "cluster",
        // Without a published endpoint the key stays, empty, for its reader to fill in.
        cluster: {
          server: server === "" ? null : server,
          "certificate-authority-data": clusterText(cluster, "kube-root-ca"),
        },
      },
    ],
    contexts: [{ name: namespace, context: { cluster: "cluster", namespace, user: "keycloak" } }],
    "current-context": namespace,
    users: [
      {
        name: "keycloak",
        user: {
          exec: {
            apiVersion: "client.authentication.k8s.io/v1beta1",
            command: "kubectl",
            args: [
              "oidc-login",
              "get-token",
              `--oidc-issuer-url=${issuerOf(cluster)}`,
              "--oidc-client-id=kubernetes",
              "--skip-open-browser",
            ],
          },
        },
      },
    ],
  };
  return stringify(document, { lineWidth: 0 });
}
