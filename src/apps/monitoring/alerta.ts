/** Alerta: the page with the tenant's alerts, which passes them on to its notifiers. */
import { Deployment } from "../../contracts/apps.ts";
import { ConfigMap, Secret, Service } from "../../contracts/core.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import { createOnly, type Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, generatedSecret } from "../../sdk/needs.ts";
import { databaseSecret } from "../../sdk/service-database.ts";
import { adminSecret, alertaCertificate, alertaDatabase, hostOf } from "./names.ts";
import type { Input, Spec } from "./spec.ts";
import { alertaImage } from "./versions.ts";
import { ingressOf, route, throughGateway } from "./web.ts";

const name = "alerta";
const labels = { app: name, release: name };
const keyName = "alerta-api-key";

/** Secret with what the notifiers are sent with. */
const notifierSecret = "alerta-notifiers";

export const apiKeyNeed = () => generatedSecret(name, { [keyName]: alphanumeric(32) });

export const apiKeyOf = (secret: GeneratedSecret): string => secret.values[keyName] ?? "";

/** The page's settings. */
const config = `"use strict";
angular
  .module("config", [])
  .constant("config", { endpoint: "/api", provider: "basic", colors: {} });
`;

const fromSecret = (variable: string, secret: string, key: string) => ({
  name: variable,
  valueFrom: { secretKeyRef: { name: secret, key } },
});

type Variable = { readonly name: string; readonly value: string } | ReturnType<typeof fromSecret>;

interface Notifier {
  readonly plugin: string;
  readonly secret: Readonly<Record<string, string>>;
  readonly env: readonly Variable[];
}

const list = (variable: string, values: readonly string[]): readonly Variable[] =>
  values.length === 0 ? [] : [{ name: variable, value: JSON.stringify(values) }];

const given = (variable: string, value: string | undefined): readonly Variable[] =>
  value === undefined || value === "" ? [] : [{ name: variable, value }];

function telegram(input: Input, { token, chatID, disabledSeverity }: Spec["alerta"]["alerts"]["telegram"]): Notifier[] {
  if (token === "" || chatID === "") return [];
  return [
    {
      plugin: "telegram",
      secret: { "telegram-token": token },
      env: [
        { name: "TELEGRAM_CHAT_ID", value: chatID },
        fromSecret("TELEGRAM_TOKEN", notifierSecret, "telegram-token"),
        // Kubernetes puts the key in: it is in no object but its Secret.
        {
          name: "TELEGRAM_WEBHOOK_URL",
          value: `https://${hostOf(input, "alerta")}/api/webhooks/telegram?api-key=$(ALERTA_API_KEY)`,
        },
        ...list("TELEGRAM_DISABLE_NOTIFICATION_SEVERITY", disabledSeverity),
      ],
    },
  ];
}

function slack({ url, disabledSeverity, dashboardUrl, summaryFmt }: Spec["alerta"]["alerts"]["slack"]): Notifier[] {
  if (url === "") return [];
  return [
    {
      plugin: "slack",
      secret: { "slack-url": url },
      env: [
        fromSecret("SLACK_WEBHOOK_URL", notifierSecret, "slack-url"),
        ...list("SLACK_SEVERITY_FILTER", disabledSeverity),
        ...given("DASHBOARD_URL", dashboardUrl),
        ...given("SLACK_SUMMARY_FMT", summaryFmt),
      ],
    },
  ];
}

/** A dollar sign in a value begins no reference to another variable. */
const literal = (variable: Variable): Variable =>
  "value" in variable && variable.name !== "TELEGRAM_WEBHOOK_URL"
    ? { ...variable, value: variable.value.replaceAll("$(", () => "$$(") }
    : variable;

function deployment({ spec }: Input, notifiers: readonly Notifier[]): Rendered {
  const probe = (initialDelaySeconds: number) => ({ httpGet: { path: "/", port: "http" }, initialDelaySeconds });
  const { limits, requests } = spec.alerta.resources;
  return Deployment(name, {
    labels,
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name,
              image: alertaImage,
              env: [
                fromSecret("ADMIN_USERS", adminSecret, "user"),
                fromSecret("ADMIN_PASSWORD", adminSecret, "password"),
                fromSecret("ADMIN_KEY", name, keyName),
                fromSecret("ALERTA_API_KEY", name, keyName),
                fromSecret("DATABASE_URL", databaseSecret(alertaDatabase), "uri"),
                { name: "SIGNUP_ENABLED", value: "False" },
                { name: "AUTH_REQUIRED", value: "True" },
                ...given("PLUGINS", notifiers.map(({ plugin }) => plugin).join(",")),
                ...notifiers.flatMap(({ env }) => env).map(literal),
              ],
              ports: [{ name: "http", containerPort: 8080 }],
              livenessProbe: probe(300),
              readinessProbe: probe(5),
              resources: {
                limits: { cpu: limits.cpu, memory: limits.memory },
                requests: { cpu: requests.cpu, memory: requests.memory },
              },
              volumeMounts: [{ name: "config", mountPath: "/app/config.js", subPath: "config.js" }],
            },
          ],
          volumes: [{ name: "config", configMap: { name } }],
        },
      },
    },
  });
}

function entrance(input: Input): Rendered {
  const host = hostOf(input, "alerta");
  if (throughGateway(input)) return route(input, name, host, { name, port: 80 });
  return Ingress(name, {
    labels,
    ...ingressOf(input, {
      host,
      certificate: alertaCertificate,
      pathType: "ImplementationSpecific",
      service: { name, port: { name: "http" } },
    }),
  });
}

export function alerta(input: Input, apiKey: GeneratedSecret): readonly Rendered[] {
  const { alerts } = input.spec.alerta;
  const notifiers = [...telegram(input, alerts.telegram), ...slack(alerts.slack)];
  return [
    createOnly(Secret(name, { labels: { app: name }, stringData: { [keyName]: apiKeyOf(apiKey) } })),
    ...(notifiers.length === 0
      ? []
      : [Secret(notifierSecret, { stringData: Object.assign({}, ...notifiers.map(({ secret }) => secret)) })]),
    ConfigMap(name, { labels, data: { "config.js": config } }),
    Service(name, {
      labels,
      spec: { ports: [{ name: "http", port: 80, targetPort: "http", protocol: "TCP" }], selector: labels },
    }),
    deployment(input, notifiers),
    entrance(input),
  ];
}
