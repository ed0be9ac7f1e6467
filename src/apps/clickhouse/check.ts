/**
 * What the rules refuse, for documents that no API server has seen.
 */
import { refuse } from "../../sdk/errors.ts";
import { forDump, forSecret, missing, pathMessage } from "./rules.ts";
import type { Spec } from "./spec.ts";

type Backup = Spec["backup"];

/** Whether the keys in the specification, rather than a Secret of the user or of the platform, are used. */
export function inlineCredentials(backup: Backup): boolean {
  return backup.enabled && !backup.useSystemBucket && backup.s3CredentialsSecret.name === "";
}

/** Whether the scheduled dump is on. */
export function scheduledDump(backup: Backup): boolean {
  return backup.enabled && !backup.useSystemBucket && backup.schedule !== "";
}

/** Refuses what the rules refuse. */
export function checkBackup(backup: Backup): void {
  if (backup.enabled && backup.useSystemBucket && backup.s3PathOverride !== "") {
    refuse({
      code: "InvalidValue",
      field: "spec.backup.s3PathOverride",
      message: pathMessage,
      remedy: "Leave s3PathOverride empty.",
    });
  }
  const needed = [...(inlineCredentials(backup) ? forSecret : []), ...(scheduledDump(backup) ? forDump : [])];
  for (const field of needed) {
    if (backup[field] !== "") continue;
    refuse({
      code: "InvalidValue",
      field: `spec.backup.${field}`,
      message: missing(field),
      remedy: `Set backup.${field}, or name a Secret with the credentials in backup.s3CredentialsSecret.`,
    });
  }
}
