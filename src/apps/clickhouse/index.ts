/** ClickHouse with its Keeper, run by the operator of Altinity. */
import { defineApp } from "../../sdk/define-app.ts";
import { keeperLabel, longestRelease } from "./names.ts";
import { claims, monitors, needs, render } from "./render.ts";
import { ClickHouseSpec } from "./spec.ts";
import { credentialsSecret } from "./users.ts";

export const clickhouse = defineApp({
  kind: "ClickHouse",
  plural: "clickhouses",
  release: "clickhouse-",
  longestRelease,
  catalog: {
    title: "ClickHouse",
    category: "PaaS",
    tags: ["database"],
    summary: "Column-oriented database for analytics, with shards and replicas",
    fieldOrder: [
      "replicas",
      "shards",
      "resources",
      "resourcesPreset",
      "size",
      "storageClass",
      "logStorageSize",
      "logTTL",
      "users",
      "backup",
      "clickhouseKeeper",
    ],
  },
  spec: ClickHouseSpec,
  needs,
  render,
  monitors,
  expose: ({ release, spec }) => ({
    services: [`chendpoint-${release}`],
    secrets: [credentialsSecret(release)],
    monitors: [release, ...(spec.clickhouseKeeper.enabled ? [keeperLabel(release)] : [])],
  }),
  storage: claims,
});
