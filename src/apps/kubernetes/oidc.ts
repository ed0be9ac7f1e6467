/** How people log in to the cluster. */

import { parse, stringify, YAMLParseError } from "yaml";
import { Secret, type SecretObject } from "../../contracts/core.ts";
import { KeycloakClient } from "../../contracts/v1-edp-epam-com.ts";
import { valueAt } from "../../kube/json.ts";
import { secretText } from "../../kube/secret-text.ts";
import { audienceScope, audienceScopeName, issuerOf, keycloakApi, realmRef } from "../../sdk/keycloak.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { configurationKey, externalHost, kubeconfigKey, kubeconfigSecret, marked } from "./names.ts";
import { users } from "./oidc-users.ts";
import type { Input } from "./spec.ts";

const clientOf = ({ namespace, release }: Input): string => `${namespace}-${release}`;

/** Key of the kubeconfig with which people log in. */
export const oidcKubeconfigKey = "kubeconfig";
export const oidcKubeconfigSecret = (release: string): string => `${release}-oidc-kubeconfig`;

/** Secret with the authentication configuration; undefined where there is none. */
export function authenticationSecret({ release, spec: { oidc } }: Input): string | undefined {
  if (oidc.mode === "None") return undefined;
  const { name } = oidc.customConfig.secretRef;
  return oidc.mode === "CustomConfig" && name !== "" ? name : `${release}-oidc-authn-config`;
}

export function oidcNeeds({ release, spec }: Input) {
  const { mode, customConfig } = spec.oidc;
  const own = mode === "CustomConfig" ? customConfig.secretRef.name : "";
  if (own !== "") return { configuration: optional(Secret, own) };
  if (mode !== "System") return {};
  return {
    kubeconfig: optional(Secret, kubeconfigSecret(release)),
    oidcKubeconfig: optional(Secret, oidcKubeconfigSecret(release)),
  };
}

function keycloak(input: Input): readonly Rendered[] {
  const { namespace, release } = input;
  const client = clientOf(input);
  return [
    audienceScope(client, {
      namespace,
      description: `Per-cluster audience for tenant kube-apiserver ${release}`,
    }),
    KeycloakClient(client, {
      namespace,
      spec: {
        clientId: client,
        name: client,
        realmRef,
        public: true,
        directAccess: false,
        advancedProtocolMappers: true,
        redirectUris: ["http://localhost:8000", "http://localhost:18000"],
        defaultClientScopes: ["groups", audienceScopeName(client)],
        attributes: { "pkce.code.challenge.method": "S256", "post.logout.redirect.uris": "+" },
      },
    }),
  ];
}

/** Only members of the tenant's groups: every account of the realm would have a valid token. */
function systemConfig(input: Input): string {
  const { namespace } = input;
  const groups = ["view", "use", "admin", "super-admin"].map((level) => `"${namespace}-${level}"`).join(", ");
  return stringify(
    {
      apiVersion: "apiserver.config.k8s.io/v1beta1",
      kind: "AuthenticationConfiguration",
      jwt: [
        {
          issuer: { url: issuerOf(input.context.cluster), audiences: [clientOf(input)] },
          claimValidationRules: [
            {
              // Without dyn() the API server does not start: it cannot know that the claim is a list.
              expression: `has(claims.groups) && dyn(claims.groups).exists(g, g in [${groups}])`,
              message: `user is not a member of any ${namespace}-{view,use,admin,super-admin} group in the cozy realm — this tenant's apiserver only trusts identities the tenant chart has admitted`,
            },
          ],
          claimMappings: {
            username: { claim: "email", prefix: "" },
            groups: { claim: "groups", prefix: "" },
          },
        },
      ],
    },
    { lineWidth: 0 },
  );
}

/** The cluster's authority, base64, out of an administrator's kubeconfig; undefined while there is none. */
function authorityIn(secret: SecretObject | undefined): string | undefined {
  const text = secretText(secret, kubeconfigKey);
  try {
    const clusters = valueAt(parse(text), "clusters");
    const data = valueAt(Array.isArray(clusters) ? clusters[0] : undefined, "cluster", "certificate-authority-data");
    return typeof data === "string" && data !== "" ? data : undefined;
  } catch (error) {
    if (error instanceof YAMLParseError) return undefined;
    throw error;
  }
}

function kubeconfig(input: Input, authority: string): string {
  const { release } = input;
  const login = [
    "oidc-login",
    "get-token",
    `--oidc-issuer-url=${issuerOf(input.context.cluster)}`,
    `--oidc-client-id=${clientOf(input)}`,
    "--oidc-extra-scope=email",
    "--oidc-extra-scope=groups",
    "--oidc-use-pkce",
  ];
  const exec = {
    apiVersion: "client.authentication.k8s.io/v1",
    command: "kubectl",
    args: login,
    interactiveMode: "IfAvailable",
    provideClusterInfo: true,
  };
  const server = `https://${externalHost(input)}:443`;
  return stringify(
    {
      apiVersion: "v1",
      kind: "Config",
      "current-context": release,
      clusters: [{ name: release, cluster: { server, "certificate-authority-data": authority } }],
      users: [{ name: `${release}-oidc`, user: { exec } }],
      contexts: [{ name: release, context: { cluster: release, user: `${release}-oidc` } }],
    },
    { lineWidth: 0 },
  );
}

const placeholder = "# The cluster's certificate authority is not there yet: with it, this becomes a kubeconfig.\n";

export interface OidcLive {
  /** Of the tenant's own, with its configuration. */
  readonly configuration?: SecretObject | undefined;
  readonly kubeconfig?: SecretObject | undefined;
  readonly oidcKubeconfig?: SecretObject | undefined;
}

/** One that is there stays while the authority cannot be read. */
function shownKubeconfig(input: Input, live: OidcLive): string {
  const authority = authorityIn(live.kubeconfig);
  if (authority !== undefined) return kubeconfig(input, authority);
  const before = live.oidcKubeconfig?.data?.[oidcKubeconfigKey];
  return before === undefined ? placeholder : Buffer.from(before, "base64").toString("utf8");
}

export function oidc(input: Input, live: OidcLive): readonly Rendered[] {
  const { release, spec, context } = input;
  const { mode, customConfig } = spec.oidc;
  if (mode === "None") return [];
  const own = { ...marked(input), type: "Opaque" };
  const config = mode === "System" ? systemConfig(input) : customConfig.config;
  const secret =
    config === ""
      ? []
      : [Secret(`${release}-oidc-authn-config`, { ...own, stringData: { [configurationKey]: config } })];
  const system =
    mode === "System"
      ? [
          ...(context.apis.has(keycloakApi) ? keycloak(input) : []),
          Secret(oidcKubeconfigSecret(release), {
            ...own,
            stringData: { [oidcKubeconfigKey]: shownKubeconfig(input, live) },
          }),
        ]
      : [];
  return [...secret, ...system, ...users(input)];
}
