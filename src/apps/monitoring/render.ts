/** From a Monitoring's specification to its objects. */
import { Secret } from "../../contracts/core.ts";
import { acmeLeftovers } from "../../sdk/acme-leftovers.ts";
import type { Exposure, Leftover, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { databaseClaims, databaseNeed, serviceDatabase } from "../../sdk/service-database.ts";
import { shownSecrets } from "../../sdk/shown-secret.ts";
import { alerta, apiKeyNeed, apiKeyOf } from "./alerta.ts";
import { alertmanager } from "./alertmanager.ts";
import { check } from "./check.ts";
import { dashboards } from "./dashboards.ts";
import { adminNeed, grafana } from "./grafana.ts";
import { logs } from "./logs.ts";
import { metrics } from "./metrics.ts";
import {
  adminSecret,
  alertaCertificate,
  alertaDatabase,
  grafanaCertificate,
  grafanaDatabase,
  grafanaService,
  hostOf,
  volumeLabel,
} from "./names.ts";
import { client, clientNeed, ownSection } from "./sign-on.ts";
import type { Input, Spec } from "./spec.ts";

export function needs(input: Input) {
  return {
    apiKey: apiKeyNeed(),
    admin: adminNeed(),
    client: clientNeed(input),
    section: shownSecrets(ownSection(input)),
    databases: {
      [grafanaDatabase]: databaseNeed(grafanaDatabase),
      [alertaDatabase]: databaseNeed(alertaDatabase),
    },
  };
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { spec, context, namespace, needs: live } = input;
  check(input);
  const database = (name: string, size: string, storageClass = "") =>
    serviceDatabase(name, { instances: 2, size, storageClass, spread: true }, live.databases[name], context);
  return [
    ...metrics(input),
    ...logs(input),
    database(alertaDatabase, String(spec.alerta.storage), spec.alerta.storageClassName),
    ...alerta(input, live.apiKey),
    ...alertmanager(input, apiKeyOf(live.apiKey)),
    database(grafanaDatabase, String(spec.grafana.db.size)),
    ...grafana(input, live.admin),
    ...client(input, live.client),
    ...dashboards(namespace),
  ];
}

const kind = "monitoring";

/** The parts of one storage. */
function storageMonitors(storage: string, parts: readonly string[]): readonly Monitor[] {
  return parts.map((part) => ({
    name: `${storage}-${part}`,
    kind,
    type: part,
    replicas: 2,
    minReplicas: 1,
    selector: {
      "app.kubernetes.io/component": "monitoring",
      "app.kubernetes.io/instance": storage,
      "app.kubernetes.io/name": part,
    },
  }));
}

function database(name: string): Monitor {
  return {
    name,
    kind,
    type: "postgres",
    replicas: 2,
    minReplicas: 1,
    selector: { "cnpg.io/cluster": name, "cnpg.io/podRole": "instance" },
  };
}

const metricParts = ["vmstorage", "vmselect", "vminsert"];
const logParts = ["vlstorage", "vlselect", "vlinsert"];

export function monitors({ spec }: Input): readonly Monitor[] {
  const [first] = spec.metricsStorages;
  const vmalert = first === undefined ? [] : [`vmalert-${first.name}`];
  return [
    ...spec.metricsStorages.flatMap(({ name }) => storageMonitors(name, metricParts)),
    ...vmalert.map((name) => ({
      name,
      kind,
      type: "vmalert",
      replicas: 1,
      minReplicas: 1,
      selector: { "app.kubernetes.io/instance": name, "app.kubernetes.io/name": "vmalert" },
    })),
    ...spec.logsStorages.flatMap(({ name }) => storageMonitors(name, logParts)),
    { name: "grafana", kind, type: "grafana", replicas: 2, minReplicas: 1, selector: { app: "grafana" } },
    database(grafanaDatabase),
    database(alertaDatabase),
    {
      name: "alerta",
      kind,
      type: "alerta",
      replicas: 1,
      minReplicas: 1,
      selector: { app: "alerta", release: "alerta" },
    },
    {
      name: "alertmanager",
      kind,
      type: "alertmanager",
      replicas: 3,
      minReplicas: 2,
      selector: { "app.kubernetes.io/instance": "alertmanager", "app.kubernetes.io/name": "vmalertmanager" },
    },
  ];
}

export function expose({ spec }: Input): Exposure {
  const [first] = spec.metricsStorages;
  const parts = (storages: readonly { readonly name: string }[], of: readonly string[]) =>
    storages.flatMap(({ name }) => of.map((part) => `${name}-${part}`));
  return {
    ingresses: ["grafana-ingress", "alerta"],
    secrets: [adminSecret],
    services: [grafanaService, "alerta"],
    monitors: [
      "alerta",
      "grafana",
      grafanaDatabase,
      alertaDatabase,
      "alertmanager",
      ...parts(spec.metricsStorages, metricParts),
      ...parts(spec.logsStorages, logParts),
      ...(first === undefined ? [] : [`vmalert-${first.name}`]),
    ],
    level: "admin",
  };
}

export function claims(input: Input): readonly StorageClaim[] {
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: volumeLabel(input) },
    databaseClaims(grafanaDatabase),
    databaseClaims(alertaDatabase),
  ];
}

/** What the certificates' issuer may leave behind. Upstream deleted the certificates' Secrets as well. */
export function leftovers(input: Input): readonly Leftover[] {
  return [
    ...acmeLeftovers(hostOf(input, "grafana"), grafanaCertificate),
    ...acmeLeftovers(hostOf(input, "alerta"), alertaCertificate),
    { kind: Secret, names: [grafanaCertificate, alertaCertificate] },
  ];
}
