/** The administrator, the users, and the files by which the servers know the first. */
import { createHmac } from "node:crypto";
import { Secret, type SecretObject } from "../../contracts/core.ts";
import { bcrypt } from "../../sdk/bcrypt.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import { createOnly, type Rendered } from "../../sdk/manifest.ts";
import { sortedNames } from "../../sdk/names.ts";
import { alphanumeric, type GeneratedSecret, generatedSecret, optional } from "../../sdk/needs.ts";
import { ownPassword, ownPasswordNeeds } from "../../sdk/passwords.ts";
import { queryEscape } from "../../sdk/url.ts";
import type { Input } from "./spec.ts";

export const adminSecret = (release: string): string => `${release}-admin-credentials`;
export const configSecret = (release: string): string => `${release}-security-config`;

/** What the tenant reads to connect as the administrator. */
export const credentialsSecret = (release: string): string => `${release}-credentials`;

const userSecret = (release: string, user: string): string => `${release}-user-${user}`;

const admin = "admin";

export const userSecrets = ({ release, spec }: Input): readonly string[] =>
  sortedNames(spec.users).map((user) => userSecret(release, user));

export function securityNeeds({ release, spec }: Input) {
  return {
    // Another password would not be the one in the servers' files.
    admin: generatedSecret(adminSecret(release), { password: alphanumeric(32) }, { rotate: [] }),
    config: optional(Secret, configSecret(release)),
    passwords: ownPasswordNeeds(spec.users, (user) => userSecret(release, user)),
  };
}

export interface Security {
  readonly admin: GeneratedSecret;
  readonly config: SecretObject | undefined;
  readonly passwords: Readonly<Record<string, GeneratedSecret>>;
}

const labels = (release: string) => ({
  "app.kubernetes.io/name": "opensearch",
  "app.kubernetes.io/instance": release,
});

/** One of the security plugin's files. */
const file = (type: string, content = ""): string =>
  `---\n_meta:\n  type: ${JSON.stringify(type)}\n  config_version: 2\n${content}`;

const authentication = {
  config: {
    dynamic: {
      http: { anonymous_auth_enabled: false },
      authc: {
        basic_internal_auth_domain: {
          description: "Authenticate via HTTP Basic against internal users database",
          http_enabled: true,
          transport_enabled: true,
          order: 0,
          http_authenticator: { type: "basic", challenge: true },
          authentication_backend: { type: "internal" },
        },
      },
    },
  },
};

/** JSON is YAML: the keys of an object, a line each. */
const lines = (fields: object): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join("");

const users = "internal_users.yml";
const files = (password: string): Readonly<Record<string, string>> => {
  // A render gives the same for the same: the salt follows from the password, which no other has.
  const salt = createHmac("sha256", password).update("salt").digest().subarray(0, 16);
  const account = {
    hash: bcrypt(password, salt),
    reserved: true,
    backend_roles: [admin],
    description: "Admin user",
  };
  return {
    "config.yml": file("config", lines(authentication)),
    [users]: file("internalusers", lines({ [admin]: account })),
    "roles.yml": file("roles"),
    "roles_mapping.yml": file("rolesmapping", `all_access:\n  reserved: false\n  backend_roles:\n    - "${admin}"\n`),
    "action_groups.yml": file("actiongroups"),
    "tenants.yml": file("tenants"),
  };
};

/** Files that exist stay as they are: an administrator may have changed them. */
function config(release: string, password: string, live: SecretObject | undefined): Rendered {
  const kept = live?.data?.[users] === undefined ? undefined : live.data;
  const content = kept === undefined ? { stringData: files(password) } : { data: { ...kept } };
  return createOnly(Secret(configSecret(release), { labels: labels(release), type: "Opaque", ...content }));
}

function credentials({ release, namespace, spec, context }: Input, password: string): Rendered {
  const host = (service: string) => `${service}.${namespace}.svc.${clusterDomain(context)}`;
  const uri = (service: string, port: string) => `https://${admin}:${queryEscape(password)}@${host(service)}:${port}`;
  const dashboards = `${release}-dashboards`;
  return Secret(credentialsSecret(release), {
    labels: labels(release),
    type: "Opaque",
    stringData: {
      username: admin,
      password,
      host: host(release),
      port: "9200",
      uri: uri(release, "9200"),
      ...(spec.dashboards.enabled
        ? {
            "dashboards-host": host(dashboards),
            "dashboards-port": "5601",
            "dashboards-uri": uri(dashboards, "5601"),
          }
        : {}),
    },
  });
}

function userObject({ release, spec }: Input, name: string, password: string): Rendered {
  const roles = spec.users[name]?.roles ?? [];
  return Secret(userSecret(release, name), {
    labels: { "opensearch.opster.io/credentials": "true" },
    type: "kubernetes.io/basic-auth",
    stringData: { username: name, password, roles: roles.length === 0 ? "readall" : roles.join(",") },
  });
}

export function security(input: Input, known: Security): readonly Rendered[] {
  const { release, spec } = input;
  const password = known.admin.values["password"];
  if (password === undefined) throw new Error("no password was generated for the administrator");
  return [
    Secret(adminSecret(release), {
      labels: labels(release),
      type: "Opaque",
      stringData: { username: admin, password },
    }),
    config(release, password, known.config),
    credentials(input, password),
    ...sortedNames(spec.users).map((name) => userObject(input, name, ownPassword(spec.users, name, known.passwords))),
  ];
}
