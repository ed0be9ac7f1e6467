/**
 * All migrations, in order.
 */
import type { Migration } from "./migration.ts";
import { systemDatabases } from "./slots/37-system-databases.ts";
import { goldenImages } from "./slots/38-golden-images.ts";
import { resourcePresets } from "./slots/39-resource-presets.ts";
import { dashboardDefinitions } from "./slots/40-dashboard-definitions.ts";
import { diskSize } from "./slots/41-disk-size.ts";
import { stampLabel } from "./slots/42-stamp-label.ts";
import { seaweedfsDatabase, seaweedfsDatabaseAgain } from "./slots/43-seaweedfs-database.ts";
import { fluxShard } from "./slots/44-flux-shard.ts";
import { bootstrapTemplates } from "./slots/45-bootstrap-templates.ts";
import { kubernetesVersion } from "./slots/46-kubernetes-version.ts";
import { defaultNodeGroup } from "./slots/47-default-node-group.ts";
import { keeperClaims } from "./slots/48-keeper-claims.ts";
import { ancestorLabels } from "./slots/49-ancestor-labels.ts";
import { etcdAdoption } from "./slots/50-etcd-adoption.ts";
import { monitoringClaims } from "./slots/51-monitoring-claims.ts";
import { linstorAdmission } from "./slots/52-linstor-admission.ts";
import { redisOperator } from "./slots/54-redis-operator.ts";
import { fluxAddons } from "./slots/55-flux-addons.ts";

export const migrations: readonly Migration[] = [
  systemDatabases,
  goldenImages,
  resourcePresets,
  dashboardDefinitions,
  diskSize,
  stampLabel,
  seaweedfsDatabase,
  fluxShard,
  bootstrapTemplates,
  kubernetesVersion,
  defaultNodeGroup,
  keeperClaims,
  ancestorLabels,
  etcdAdoption,
  monitoringClaims,
  linstorAdmission,
  seaweedfsDatabaseAgain,
  redisOperator,
  fluxAddons,
];
