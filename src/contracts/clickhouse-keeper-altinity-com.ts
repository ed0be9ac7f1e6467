/**
 * The Altinity operator: ClickHouse Keeper.
 */
import { Type } from "typebox";
import { altinityDefaults, altinitySettings, altinityStatus, altinityTemplates } from "./altinity-com.ts";
import { defineContract } from "./contract.ts";
import { oneOf, some, text } from "./fields.ts";

export const ClickHouseKeeperInstallation = defineContract({
  group: "clickhouse-keeper.altinity.com",
  version: "v1",
  kind: "ClickHouseKeeperInstallation",
  plural: "clickhousekeeperinstallations",
  shortNames: ["chk"],
  namespaced: true,
  schema: Type.Object({
    spec: some({
      configuration: some({
        clusters: Type.Array(
          Type.Object({ name: text(), layout: Type.Optional(some({ replicasCount: Type.Integer() })) }),
        ),
        settings: altinitySettings(),
        files: altinitySettings(),
      }),
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
      "spec.configuration.settings": "restarts",
      "spec.configuration.files": "restarts",
      "spec.configuration.clusters.*.layout.replicasCount": "inPlace",
      "spec.configuration.clusters.*.name": "losesData",
      "spec.templates.serviceTemplates": "inPlace",
      "spec.templates.volumeClaimTemplates.*.spec.resources": "inPlace",
      "spec.taskID": "inPlace",
    },
    fewer: { "spec.configuration.clusters.*.layout.replicasCount": "go" },
  },
});

export const clickhouseKeeperContracts = [ClickHouseKeeperInstallation] as const;
