/**
 * What the rules refuse, for documents that no API server has seen: `render` offline, a preview, objects from before a rule.
 */
import { refuse } from "../../sdk/errors.ts";
import { checkName } from "../../sdk/names.ts";
import { blockedParameters, longestDatabaseName, longestRelease, messages, reservedUsers, templates } from "./rules.ts";
import type { Input, Spec } from "./spec.ts";

function invalid(field: string, message: string, remedy: string): never {
  return refuse({ code: "InvalidValue", field: `spec.${field}`, message, remedy });
}

function checkParameters(parameters: Spec["postgresql"]["parameters"]): void {
  for (const name of Object.keys(parameters)) {
    if (!blockedParameters.some((blocked) => blocked === name.toLowerCase())) continue;
    const message = `SECURITY: the parameter ${name} can load code or run commands and cannot be set`;
    invalid(`postgresql.parameters.${name}`, message, "Remove the parameter.");
  }
}

function checkNames({ users, databases, bootstrap }: Spec): void {
  for (const name of Object.keys(users)) {
    const reserved = name.startsWith("pg_") || reservedUsers.some((one) => one === name);
    if (reserved) invalid(`users.${name}`, messages.user, "Choose another name for the user.");
    if (name === "postgres" && !bootstrap.enabled) {
      invalid("users.postgres", messages.superuser, "Choose another name for the user.");
    }
  }
  for (const name of Object.keys(databases)) {
    const field = `databases[${JSON.stringify(name)}]`;
    const reserved = name.startsWith("pg_") || templates.some((one) => one === name);
    if (reserved) invalid(field, messages.database, "Choose another name for the database.");
    const bytes = Buffer.byteLength(name);
    if (bytes <= longestDatabaseName) continue;
    const remedy = `Choose a name that is ${bytes - longestDatabaseName} bytes shorter.`;
    refuse({
      code: "NameTooLong",
      field: `spec.${field}`,
      message: `${messages.databaseLength}, not ${bytes}`,
      remedy,
    });
  }
}

function checkBootstrap({ bootstrap, backup }: Spec): void {
  if (!bootstrap.enabled) return;
  if (backup.useSystemBucket) {
    invalid("bootstrap.enabled", messages.systemBucket, "Set bootstrap.enabled to false and make a RestoreJob.");
  }
  if (backup.s3CredentialsSecret.name === "" && (backup.s3AccessKey === "" || backup.s3SecretKey === "")) {
    invalid(
      "backup.s3CredentialsSecret.name",
      messages.credentials,
      "Give the credentials of the bucket with the backup.",
    );
  }
  if (bootstrap.oldName === "") invalid("bootstrap.oldName", messages.source, "Give the name of the old cluster.");
}

/** Refuses what the rules refuse, and names that the operator would refuse. */
export function check({ release, spec }: Input): void {
  checkName(release, "DNS-1035 label", "the name of the database cluster", "metadata.name", longestRelease);
  checkParameters(spec.postgresql.parameters);
  checkNames(spec);
  checkBootstrap(spec);
}
