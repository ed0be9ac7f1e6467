/** Grafana itself, as its operator makes it. */
import { Secret } from "../../contracts/core.ts";
import { Grafana } from "../../contracts/grafana-integreatly-org.ts";
import { mirrored } from "../../sdk/image.ts";
import { innerRelease } from "../../sdk/inner-release.ts";
import { createOnly, type Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, generatedSecret } from "../../sdk/needs.ts";
import { databaseSecret } from "../../sdk/service-database.ts";
import { files } from "./dashboards.ts";
import { adminSecret, grafanaCertificate, grafanaDatabase, grafanaService, hostOf } from "./names.ts";
import { podParts, section } from "./sign-on.ts";
import type { Input } from "./spec.ts";
import { grafanaImage, plugins } from "./versions.ts";
import { ingressOf, route, throughGateway } from "./web.ts";

const port = 3000;

/** The administrator, who gets in whatever becomes of single sign-on. Grafana keeps the password in its database: a new one in the Secret alone would open nothing. */
export const adminNeed = () => generatedSecret(adminSecret, { password: alphanumeric(32) }, { rotate: [] });

const fromSecret = (name: string, secret: string, key: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key } },
});

function container(input: Input): object {
  const { limits, requests } = input.spec.grafana.resources;
  const { env, mounts } = podParts(input);
  return {
    name: "grafana",
    image: mirrored(grafanaImage, input.context),
    securityContext: { readOnlyRootFilesystem: false },
    resources: {
      limits: { cpu: limits.cpu, memory: limits.memory },
      requests: { cpu: requests.cpu, memory: requests.memory },
    },
    env: [
      {
        name: "GF_INSTALL_PLUGINS",
        value: plugins.map(({ id, version }) => `${files}/plugins/${id}-${version}.zip;${id}`).join(","),
      },
      { name: "ONCALL_API_URL", value: "http://grafana-oncall-engine:8080" },
      { name: "GF_DATABASE_HOST", value: `${grafanaDatabase}-rw:5432` },
      fromSecret("GF_DATABASE_PASSWORD", databaseSecret(grafanaDatabase), "password"),
      { name: "GF_DATABASE_NAME", value: "app" },
      { name: "GF_DATABASE_USER", value: "app" },
      fromSecret("GF_PASSWORD", adminSecret, "password"),
      fromSecret("GF_SECURITY_ADMIN_PASSWORD", adminSecret, "password"),
      fromSecret("GF_SECURITY_ADMIN_USER", adminSecret, "user"),
      ...env,
    ],
    ...(mounts === undefined ? {} : { volumeMounts: mounts }),
  };
}

function server(input: Input): Rendered {
  const host = hostOf(input, "grafana");
  const signOn = section(input);
  const { volumes } = podParts(input);
  const ingress = ingressOf(input, {
    host,
    certificate: grafanaCertificate,
    pathType: "Prefix",
    service: { name: grafanaService, port: { number: port } },
  });
  return Grafana("grafana", {
    labels: { dashboards: "grafana" },
    spec: {
      config: {
        log: { mode: "console" },
        // Never off: it is the way in when single sign-on fails.
        auth: { disable_login_form: "false" },
        database: {
          type: "postgres",
          host: "$__env{GF_DATABASE_HOST}",
          name: "$__env{GF_DATABASE_NAME}",
          user: "$__env{GF_DATABASE_USER}",
          password: "$__env{GF_DATABASE_PASSWORD}",
        },
        server: { root_url: `https://${host}` },
        // The environment says both.
        security: { admin_user: "user", admin_password: "$__env{GF_PASSWORD}" },
        ...(signOn === undefined ? {} : { "auth.generic_oauth": signOn }),
      },
      deployment: {
        spec: {
          replicas: 2,
          template: {
            spec: { containers: [container(input)], ...(volumes === undefined ? {} : { volumes }) },
          },
        },
      },
      ...(throughGateway(input)
        ? {}
        : { ingress: { metadata: { annotations: ingress.annotations }, spec: ingress.spec } }),
    },
  });
}

export function grafana(input: Input, admin: GeneratedSecret): readonly Rendered[] {
  const { user = "admin", password = "" } = admin.values;
  return [
    createOnly(
      Secret(adminSecret, {
        labels: { "app.kubernetes.io/instance": innerRelease(input.release), "app.kubernetes.io/managed-by": "Helm" },
        stringData: { user, password },
      }),
    ),
    server(input),
    ...(throughGateway(input)
      ? [route(input, "grafana", hostOf(input, "grafana"), { name: grafanaService, port })]
      : []),
  ];
}
