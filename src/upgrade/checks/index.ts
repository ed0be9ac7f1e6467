/**
 * All checks, in the order of their numbers.
 */
import { backupObjectsCheck } from "./backup-objects.ts";
import type { Check } from "./check.ts";
import { etcdAdoptionCheck } from "./etcd-adoption.ts";
import { etcdBackupCheck } from "./etcd-backups.ts";
import { keepAnnotationCheck } from "./keep-annotations.ts";
import { keepPinCheck } from "./keep-pins.ts";
import { kubernetesVersionCheck } from "./kubernetes-versions.ts";
import { emptyGroupsCheck, impliedGroupCheck } from "./node-groups.ts";
import { quotaCheck } from "./quotas.ts";
import { scrapePortCheck } from "./scrape-ports.ts";
import { seaweedfsDatabaseCheck } from "./seaweedfs-database.ts";
import { seaweedfsNamingCheck } from "./seaweedfs-naming.ts";
import { collisionCheck, nodeLocalCheck } from "./storage-classes.ts";
import { storageCleanupCheck } from "./storage-cleanup.ts";
import { machineHealthCheck, mirrorCheck } from "./tenant-machines.ts";
import { tenantVersionCheck } from "./tenant-versions.ts";
import { pathCheck, targetCheck } from "./version-path.ts";
import { webhookCertificateCheck } from "./webhook-certificate.ts";

export const checks: readonly Check[] = [
  targetCheck,
  pathCheck,
  keepPinCheck,
  etcdAdoptionCheck,
  seaweedfsDatabaseCheck,
  seaweedfsNamingCheck,
  tenantVersionCheck,
  collisionCheck,
  nodeLocalCheck,
  etcdBackupCheck,
  kubernetesVersionCheck,
  keepAnnotationCheck,
  quotaCheck,
  impliedGroupCheck,
  backupObjectsCheck,
  webhookCertificateCheck,
  scrapePortCheck,
  machineHealthCheck,
  storageCleanupCheck,
  mirrorCheck,
  emptyGroupsCheck,
];
