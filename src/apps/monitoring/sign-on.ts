/**
 * Who signs people in to Grafana.
 */
import { Secret } from "../../contracts/core.ts";
import { KeycloakClient } from "../../contracts/v1-edp-epam-com.ts";
import { accessLevels } from "../../sdk/access.ts";
import { innerRelease } from "../../sdk/inner-release.ts";
import { audienceScope, audienceScopeName, issuerOf, realmRef } from "../../sdk/keycloak.ts";
import { createOnly, type Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, generatedSecret } from "../../sdk/needs.ts";
import { hostOf } from "./names.ts";
import type { Input } from "./spec.ts";

const secretKey = "client-secret";
const clientSecret = ({ release }: Input): string => `${innerRelease(release)}-oidc-client`;
const clientId = ({ namespace, release }: Input): string => `${namespace}-${innerRelease(release)}`;
const scopeName = (input: Input): string => audienceScopeName(clientId(input));
const redirect = (input: Input): string => `https://${hostOf(input, "grafana")}/login/generic_oauth`;

/** The client's secret: only with the platform's Keycloak. */
export function clientNeed(input: Input) {
  return input.spec.oidc.mode === "System"
    ? generatedSecret(clientSecret(input), { [secretKey]: alphanumeric(32) })
    : undefined;
}

export type ClientSecret = GeneratedSecret | undefined;

/** The client in Keycloak, and the scope by which its tokens name it as their audience. */
export function client(input: Input, secret: ClientSecret): readonly Rendered[] {
  if (secret === undefined) return [];
  const id = clientId(input);
  const scope = scopeName(input);
  return [
    createOnly(
      Secret(clientSecret(input), { type: "Opaque", stringData: { [secretKey]: secret.values[secretKey] ?? "" } }),
    ),
    audienceScope(id),
    KeycloakClient(id, {
      spec: {
        clientId: id,
        name: id,
        realmRef,
        public: false,
        directAccess: false,
        advancedProtocolMappers: true,
        secret: `$${clientSecret(input)}:${secretKey}`,
        webUrl: `https://${hostOf(input, "grafana")}`,
        redirectUris: [redirect(input)],
        defaultClientScopes: ["groups", scope],
        attributes: { "post.logout.redirect.uris": "+" },
      },
    }),
  ];
}

/** Name of the tenant's Secret with a section of its own; empty where there is none. */
export const ownSection = ({ spec }: Input): string =>
  spec.oidc.mode === "CustomConfig" ? spec.oidc.customConfig.secretRef.name : "";

/** With a list of users nobody else gets in, and roles are the list's. */
const listed = {
  skip_org_role_sync: "true",
  oauth_allow_insecure_email_lookup: "true",
  allow_sign_up: "false",
} as const;

function keycloak(input: Input): Readonly<Record<string, string>> {
  const endpoint = (of: string) => `${issuerOf(input.context.cluster)}/protocol/openid-connect/${of}`;
  return {
    enabled: "true",
    name: "Keycloak",
    client_id: clientId(input),
    client_secret: "$__env{GF_AUTH_GENERIC_OAUTH_CLIENT_SECRET}",
    auth_url: endpoint("auth"),
    token_url: endpoint("token"),
    api_url: endpoint("userinfo"),
    scopes: `openid email profile groups ${scopeName(input)}`,
    groups_attribute_path: "groups",
    allowed_groups: accessLevels.map((level) => `${input.namespace}-${level}`).join(" "),
    email_attribute_path: "email",
    auto_login: "false",
  };
}

/** Grafana's section `auth.generic_oauth`; undefined: there is none here. */
export function section(input: Input): Readonly<Record<string, string>> | undefined {
  const { mode, customConfig, users } = input.spec.oidc;
  const forced = users.length === 0 ? {} : listed;
  if (mode === "System") return { ...keycloak(input), ...forced };
  if (mode === "None" || customConfig.secretRef.name !== "") return undefined;
  const given = Object.entries(customConfig.config).map(([key, value]) => [key, String(value)] as const);
  return { ...Object.fromEntries(given), ...forced };
}

/** What Grafana's pod needs besides: variables, and the Secret with a section of the tenant's own. */
export function podParts(input: Input) {
  if (input.spec.oidc.mode === "System") {
    const secretKeyRef = { name: clientSecret(input), key: secretKey };
    return { env: [{ name: "GF_AUTH_GENERIC_OAUTH_CLIENT_SECRET", valueFrom: { secretKeyRef } }] };
  }
  const name = ownSection(input);
  if (name === "") return { env: [] };
  const volume = "oidc";
  return {
    env: [{ name: "GF_PATHS_CUSTOM_INI", value: "/etc/grafana/oidc/auth.ini" }],
    mounts: [{ name: volume, mountPath: "/etc/grafana/oidc", readOnly: true }],
    volumes: [{ name: volume, secret: { secretName: name } }],
  };
}
