/**
 * Scenarios over real applications whose operators do not answer.
 */
import { clickhouse } from "../../src/apps/clickhouse/index.ts";
import { postgres } from "../../src/apps/postgres/index.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { kindOfApp } from "../../src/reconcile/instance.ts";
import type { App } from "../../src/sdk/app.ts";
import { change, create, remove, type Scenario } from "./scenario.ts";

function ordered(app: App, name: string, spec: object): (namespace: string) => KubeObject {
  return (namespace) =>
    Object.assign({ apiVersion: `${app.group}/v1alpha1`, kind: app.kind, metadata: { name, namespace } }, { spec });
}

const Postgres = kindOfApp(postgres);
const ClickHouse = kindOfApp(clickhouse);

export const databaseScenarios: readonly Scenario[] = [
  {
    name: "Postgres: create, change, delete",
    apps: [postgres],
    steps: [
      create(
        "create",
        Postgres,
        ordered(postgres, "db", { users: { ann: {} }, databases: { app: { roles: { admin: ["ann"] } } } }),
      ),
      change("change", Postgres, "db", { spec: { replicas: 3, external: true, users: { bob: {} } } }),
      remove("delete", Postgres, "db"),
    ],
    steady: ["Secret postgres-db-credentials", "Secret postgres-db-init-script"],
    // Its script is made from the users, and changes with them.
    rotated: ["postgres-db-init-script/init.sh"],
  },
  {
    name: "ClickHouse: create, change, delete",
    apps: [clickhouse],
    steps: [
      create("create", ClickHouse, ordered(clickhouse, "ev", { users: { app: {} } })),
      change("change", ClickHouse, "ev", { spec: { shards: 2, users: { report: { readonly: true } } } }),
      remove("delete", ClickHouse, "ev"),
    ],
    steady: ["Secret clickhouse-ev-credentials"],
  },
];
