/**
 * The platform's Keycloak: its realm, its address, and clients that applications have there.
 */
import { KeycloakClientScope } from "../contracts/v1-edp-epam-com.ts";
import type { KubeObject } from "../kube/object.ts";
import { type ClusterValues, clusterText } from "./context.ts";

/** API group of the operator: without it nobody makes a client. */
export const keycloakApi = "v1.edp.epam.com/v1";

/** The realm that tenants' people are in. */
export const realmRef = { kind: "ClusterKeycloakRealm", name: "keycloakrealm-cozy" } as const;

/** Issuer of the realm's tokens. */
export const issuerOf = (cluster: ClusterValues): string =>
  `https://keycloak.${clusterText(cluster, "root-host")}/realms/cozy`;

/** Name of the scope of {@link audienceScope}. */
export const audienceScopeName = (client: string): string => `${client}-audience`;

interface Placed {
  readonly namespace?: string;
  readonly description?: string;
}

/** The scope by which a client's tokens name it as their audience. */
export function audienceScope(client: string, { namespace, description }: Placed = {}): KubeObject {
  const name = audienceScopeName(client);
  return KeycloakClientScope(name, {
    ...(namespace === undefined ? {} : { namespace }),
    spec: {
      name,
      realmRef,
      ...(description === undefined ? {} : { description }),
      protocol: "openid-connect",
      default: false,
      attributes: { "include.in.token.scope": "true" },
      protocolMappers: [
        {
          name: "audience",
          protocol: "openid-connect",
          protocolMapper: "oidc-audience-mapper",
          config: {
            "included.client.audience": client,
            "id.token.claim": "true",
            "access.token.claim": "true",
            "introspection.token.claim": "true",
            "lightweight.claim": "false",
          },
        },
      ],
    },
  });
}
