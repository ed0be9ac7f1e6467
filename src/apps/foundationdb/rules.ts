/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same.
 */
import { growOnly, type PlacedRule, rule } from "../../sdk/spec.ts";

/** Parts of the URL that the backup agents make: nothing that would end one of them. */
export const accessKey = "^[-A-Za-z0-9._~]*$";
export const bucketName = "^([-a-z0-9.]{3,63})?$";
export const regionName = "^[-a-z0-9]*$";
export const endpoint = "^((https?://)?[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]{1,5})?/?)?$";

/** As the operator reads it. */
export const versionNumber = "^[0-9]{1,4}[.][0-9]{1,4}[.][0-9]{1,4}(-rc[0-9]{1,4})?$";

/** A line of the servers' configuration. */
export const parameter = "^[^\\x00-\\x1f\\x7f]*$";

/** What a backup cannot do without. */
export const needed = ["bucket", "credentials.accessKeyId", "credentials.secretAccessKey"] as const;

export const missing = (field: string): string => `backup.s3.${field} must be set`;

export const rules: readonly PlacedRule[] = [
  growOnly("storage.size"),
  ...needed.map((field) =>
    rule({
      path: "backup",
      field: `s3.${field}`,
      rule: `!self.enabled || self.s3.${field} != ''`,
      message: missing(field),
    }),
  ),
];
