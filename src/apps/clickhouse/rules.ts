/**
 * What is refused beyond the types of fields: as CEL for the API server, and again for documents it has not seen.
 */
import { refuse } from "../../sdk/errors.ts";
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";
import type { Spec } from "./spec.ts";

type Backup = Spec["backup"];

/** Users are keys of a Secret and elements of an XML file. */
export const userName = "^[A-Za-z_][A-Za-z0-9_.-]{0,252}$";

const pathMessage =
  "backup.s3PathOverride cannot be combined with backup.useSystemBucket, where the path is fixed; to restore another application's backup, make a RestoreJob with targetApplicationRef";

/** What a Secret made here must have in it, and what the scheduled dump must have besides. */
const forSecret = ["s3Bucket", "s3Region", "s3AccessKey", "s3SecretKey"] as const;
const forDump = ["s3Bucket", "cleanupStrategy", "s3AccessKey", "s3SecretKey", "resticPassword"] as const;

const missing = (field: string): string => `backup.${field} must be set`;

/** Whether the keys in the specification, rather than a Secret of the user or of the platform, are used. */
export function inlineCredentials(backup: Backup): boolean {
  return backup.enabled && !backup.useSystemBucket && backup.s3CredentialsSecret.name === "";
}

/** Whether the scheduled dump is on. */
export function scheduledDump(backup: Backup): boolean {
  return backup.enabled && !backup.useSystemBucket && backup.schedule !== "";
}

const inlineCel = "(self.enabled && !self.useSystemBucket && self.s3CredentialsSecret.name == '')";
const dumpCel = "(self.enabled && !self.useSystemBucket && self.schedule != '')";

const neededBy = (when: string, fields: readonly string[]): readonly PlacedRule[] =>
  fields.map((field) => rule({ path: "backup", rule: `!${when} || self.${field} != ''`, message: missing(field) }));

const onlyForDump = forDump.filter((field) => !forSecret.some((one) => one === field));
const onlyForSecret = forSecret.filter((field) => !forDump.some((one) => one === field));
const forBoth = forSecret.filter((field) => forDump.some((one) => one === field));

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  growOnly("logStorageSize"),
  growOnly("clickhouseKeeper.size"),
  rule({
    path: "backup",
    rule: "!(self.enabled && self.useSystemBucket) || self.s3PathOverride == ''",
    message: pathMessage,
  }),
  ...neededBy(`(${inlineCel} || ${dumpCel})`, forBoth),
  ...neededBy(inlineCel, onlyForSecret),
  ...neededBy(dumpCel, onlyForDump),
];

/** Refuses what {@link rules} refuse. */
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
