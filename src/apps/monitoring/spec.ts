/** What a tenant says about its monitoring. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import {
  appSpec,
  group,
  intOrStringField,
  listOf,
  mapOf,
  oneOf,
  open,
  quantity,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import {
  domainPattern,
  durationPattern,
  emailPattern,
  retentionPattern,
  rules,
  sizePattern,
  storageName,
} from "./rules.ts";

const name = (of: string) =>
  text({
    required: true,
    pattern: storageName,
    maxLength: 40,
    description: `Name of the storage; its ${of} are found by it.`,
  });

const retention = { pattern: retentionPattern, maxLength: 16 };
// A text, as it always was: rules over numbers or texts in lists cost the API server too much.
const stored = text({
  default: "10Gi",
  pattern: sizePattern,
  maxLength: 24,
  description: "Volume of each storage server; it can grow.",
});

const amounts = (description: string) =>
  Type.Optional(
    open({ cpu: quantity({ description: "CPU." }), memory: quantity({ description: "Memory." }) }, { description }),
  );

/** Between what the autoscaler chooses for one part of a storage. */
const bounds = (part: string) =>
  Type.Optional(
    open(
      {
        minAllowed: amounts("Never ask for less than this."),
        maxAllowed: amounts("Never ask for more than this."),
      },
      { description: `What each pod of ${part} may ask for. What is left out keeps its default.` },
    ),
  );

const metricsStorage = open({
  name: name("servers"),
  retentionPeriod: text({
    ...retention,
    required: true,
    description: "How long metrics are kept, such as 3d, 4w or 1y; a plain number is months.",
  }),
  deduplicationInterval: text({
    required: true,
    pattern: durationPattern,
    maxLength: 16,
    description: "Of samples closer together than this one is kept, such as 15s.",
  }),
  storage: stored,
  storageClassName: Type.Optional(storageClassName()),
  vminsert: bounds("vminsert"),
  vmselect: bounds("vmselect"),
  vmstorage: bounds("vmstorage"),
});

const logsStorage = open({
  name: name("servers"),
  retentionPeriod: text({
    ...retention,
    default: "1",
    description: "How long logs are kept, such as 3d or 4w; a plain number is months.",
  }),
  storage: stored,
  storageClassName: storageClassName({ default: "replicated" }),
});

const metricsDefault = [
  { name: "shortterm", retentionPeriod: "3d", deduplicationInterval: "15s", storage: "10Gi", storageClassName: "" },
  { name: "longterm", retentionPeriod: "14d", deduplicationInterval: "5m", storage: "10Gi", storageClassName: "" },
];

const logsDefault = [{ name: "generic", retentionPeriod: "1", storage: "10Gi", storageClassName: "replicated" }];

const containerResources = () =>
  group(
    {
      limits: group(
        {
          cpu: quantity({ default: 1, description: "CPU, at most." }),
          memory: quantity({ default: "1Gi", description: "Memory, at most." }),
        },
        { description: "What a pod gets at most." },
      ),
      requests: group(
        {
          cpu: quantity({ default: "100m", description: "CPU, at least." }),
          memory: quantity({ default: "256Mi", description: "Memory, at least." }),
        },
        { description: "What is set aside for a pod." },
      ),
    },
    { description: "Resources of each pod, taken as they are." },
  );

const severities = (notifier: string) =>
  listOf(Type.String({ maxLength: 64 }), {
    maxItems: 32,
    description: `Severities of which ${notifier} hears nothing.`,
  });

const alerts = group(
  {
    telegram: group(
      {
        token: text({ default: "", maxLength: 256, description: "Token of the bot. Empty: no messages." }),
        chatID: text({ default: "", maxLength: 256, description: "Chat that receives the alerts." }),
        disabledSeverity: severities("the chat"),
      },
      { description: "Alerts as messages in Telegram; needs token and chatID." },
    ),
    slack: group(
      {
        url: text({
          default: "",
          maxLength: 2048,
          description: "Address of the incoming webhook. Empty: no messages.",
        }),
        disabledSeverity: severities("the channel"),
        dashboardUrl: text({ maxLength: 2048, description: "Address of the dashboard that messages link to." }),
        summaryFmt: text({ maxLength: 4096, description: "Template of a message's summary." }),
      },
      { description: "Alerts as messages in Slack; needs url." },
    ),
  },
  { description: "Where alerts are sent, besides Alerta's page." },
);

const oidc = group(
  {
    mode: oneOf(["None", "System", "CustomConfig"], {
      default: "None",
      description: "Who signs people in to Grafana: only itself, the platform's Keycloak, or your own provider.",
    }),
    customConfig: group(
      {
        config: mapOf(intOrStringField({ required: true, maxLength: 4096 }), {
          maxProperties: 64,
          keyPattern: "^[A-Za-z0-9_]+$",
          description: "Settings of Grafana's section auth.generic_oauth, taken as they are.",
        }),
        secretRef: group(
          { name: text({ default: "", maxLength: 253, description: "Secret whose key auth.ini holds the section." }) },
          { description: "The section in a Secret of the tenant's." },
        ),
      },
      { description: "Your own provider, said in exactly one of the two ways." },
    ),
    users: listOf(
      open({
        email: text({ required: true, pattern: emailPattern, maxLength: 254, description: "Their email address." }),
        role: oneOf(["Admin", "Editor", "Viewer"], { required: true, description: "What they may do in Grafana." }),
      }),
      {
        maxItems: 1000,
        description:
          "The only people who may sign in, but for the administrator of Grafana itself. Empty: Grafana's members are left alone.",
      },
    ),
  },
  { description: "Single sign-on to Grafana." },
);

export const MonitoringSpec = appSpec(
  {
    host: text({
      default: "",
      pattern: domainPattern,
      maxLength: 200,
      description: "Domain in which grafana and alerta get their names. Empty: the tenant's.",
    }),
    metricsStorages: listOf(metricsStorage, {
      key: "name",
      maxItems: 16,
      default: metricsDefault,
      description: "Where metrics are kept. Alerts are computed from the first.",
    }),
    logsStorages: listOf(logsStorage, {
      key: "name",
      maxItems: 16,
      default: logsDefault,
      description: "Where logs are kept.",
    }),
    alerta: group(
      {
        storage: volumeSize({ default: "10Gi", description: "Volume of the alerts' database; it can grow." }),
        storageClassName: storageClassName(),
        resources: containerResources(),
        alerts,
      },
      { description: "The page with the tenant's alerts." },
    ),
    grafana: group(
      {
        db: group(
          { size: volumeSize({ default: "10Gi", description: "Volume of Grafana's database; it can grow." }) },
          { description: "Grafana's database." },
        ),
        resources: containerResources(),
      },
      { description: "The page with dashboards." },
    ),
    vmagent: group(
      {
        externalLabels: mapOf(Type.String({ maxLength: 1024 }), {
          maxProperties: 64,
          keyPattern: "^[a-zA-Z_][a-zA-Z0-9_]{0,62}$",
          default: { cluster: "cozystack" },
          description: "Labels on everything that is collected.",
        }),
        remoteWrite: open(
          {
            urls: listOf(Type.String({ maxLength: 2048 }), {
              maxItems: 16,
              default: [
                "http://vminsert-shortterm:8480/insert/0/prometheus",
                "http://vminsert-longterm:8480/insert/0/prometheus",
              ],
              description: "Addresses that take metrics.",
            }),
          },
          { default: {}, description: "Where metrics go." },
        ),
      },
      { description: "Collects the metrics of the tenant's applications; not in the root tenant." },
    ),
    oidc,
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof MonitoringSpec.schema>;
export type Input = AppInput<Spec>;
