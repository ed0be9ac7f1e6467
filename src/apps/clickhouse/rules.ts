/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same.
 */
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

/** Users are keys of a Secret and elements of an XML file. */
export const userName = "^[A-Za-z_][A-Za-z0-9_.-]{0,252}$";

export const pathMessage =
  "backup.s3PathOverride cannot be combined with backup.useSystemBucket, where the path is fixed; to restore another application's backup, make a RestoreJob with targetApplicationRef";

/** What a Secret made here must have in it, and what the scheduled dump must have besides. */
export const forSecret = ["s3Bucket", "s3Region", "s3AccessKey", "s3SecretKey"] as const;
export const forDump = ["s3Bucket", "cleanupStrategy", "s3AccessKey", "s3SecretKey", "resticPassword"] as const;

export const missing = (field: string): string => `backup.${field} must be set`;

const inlineCel = "(self.enabled && !self.useSystemBucket && self.s3CredentialsSecret.name == '')";
const dumpCel = "(self.enabled && !self.useSystemBucket && self.schedule != '')";

const neededBy = (when: string, fields: readonly string[]): readonly PlacedRule[] =>
  fields.map((field) =>
    rule({ path: "backup", field, rule: `!${when} || self.${field} != ''`, message: missing(field) }),
  );

const onlyForDump = forDump.filter((field) => !forSecret.some((one) => one === field));
const onlyForSecret = forSecret.filter((field) => !forDump.some((one) => one === field));
const forBoth = forSecret.filter((field) => forDump.some((one) => one === field));

export const rules: readonly PlacedRule[] = [
  growOnly("size"),
  growOnly("logStorageSize"),
  growOnly("clickhouseKeeper.size"),
  rule({
    path: "backup",
    field: "s3PathOverride",
    rule: "!(self.enabled && self.useSystemBucket) || self.s3PathOverride == ''",
    message: pathMessage,
  }),
  ...neededBy(`(${inlineCel} || ${dumpCel})`, forBoth),
  ...neededBy(inlineCel, onlyForSecret),
  ...neededBy(dumpCel, onlyForDump),
];
