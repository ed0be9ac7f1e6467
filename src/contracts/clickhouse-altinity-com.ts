/**
 * The Altinity operator: ClickHouse installations.
 */
import { Type } from "typebox";
import { altinityDefaults, altinitySettings, altinityStatus, altinityTemplates } from "./altinity-com.ts";
import { defineContract } from "./contract.ts";
import { oneOf, some, text } from "./fields.ts";
import { whenLess } from "./impact.ts";

const configuration = some({
  clusters: Type.Array(
    Type.Object({
      name: text(),
      layout: Type.Optional(some({ shardsCount: Type.Integer(), replicasCount: Type.Integer() })),
    }),
  ),
  zookeeper: some({
    nodes: Type.Array(Type.Object({ host: text(), port: Type.Optional(Type.Integer()) })),
    root: text(),
  }),
  users: altinitySettings(),
  profiles: altinitySettings(),
  quotas: altinitySettings(),
  settings: altinitySettings(),
  files: altinitySettings(),
});

export const ClickHouseInstallation = defineContract({
  group: "clickhouse.altinity.com",
  version: "v1",
  kind: "ClickHouseInstallation",
  plural: "clickhouseinstallations",
  shortNames: ["chi"],
  namespaced: true,
  schema: Type.Object({
    spec: some({
      configuration,
      defaults: altinityDefaults(),
      templates: altinityTemplates(),
      namespaceDomainPattern: text(),
      stop: oneOf("no", "yes"),
      taskID: text(),
    }),
    status: Type.Optional(altinityStatus()),
  }),
  impact: {
    otherwise: "rolls",
    at: {
      "spec.configuration.users": "inPlace",
      "spec.configuration.profiles": "inPlace",
      "spec.configuration.quotas": "inPlace",
      "spec.configuration.settings": "restarts",
      "spec.configuration.files": "restarts",
      "spec.configuration.zookeeper": "restarts",
      // A shard that goes takes its part of the data with it; a replica's is elsewhere too.
      "spec.configuration.clusters.*.layout.shardsCount": whenLess("losesData", "inPlace"),
      "spec.configuration.clusters.*.layout.replicasCount": "inPlace",
      "spec.configuration.clusters.*.name": "losesData",
      "spec.templates.serviceTemplates": "inPlace",
      "spec.templates.volumeClaimTemplates.*.spec.resources": "inPlace",
      "spec.taskID": "inPlace",
    },
    fewer: {
      "spec.configuration.clusters.*.layout.shardsCount": "go",
      "spec.configuration.clusters.*.layout.replicasCount": "go",
    },
  },
});

export const clickhouseContracts = [ClickHouseInstallation] as const;
