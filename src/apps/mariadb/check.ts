/**
 * What the rules refuse, for documents that no API server has seen.
 */
import { refuse } from "../../sdk/errors.ts";
import { longestDatabase, longestUser, messages, missing, needed, operatorUser, ownDatabases } from "./rules.ts";
import type { Spec } from "./spec.ts";

const invalid = (field: string, message: string, remedy: string): never =>
  refuse({ code: "InvalidValue", field: `spec.${field}`, message, remedy });

/** Refuses what the rules refuse. */
export function check({ users, databases, backup }: Spec): void {
  for (const name of Object.keys(users)) {
    if (name === operatorUser) invalid(`users.${name}`, messages.user, "Choose another name for the user.");
    if (name.length > longestUser) invalid(`users.${name}`, messages.length, "Choose a shorter name.");
  }
  for (const name of Object.keys(databases)) {
    const own = ownDatabases.some((each) => each === name);
    if (own) invalid(`databases.${name}`, messages.database, "Choose another name for the database.");
    if (name.length > longestDatabase) invalid(`databases.${name}`, messages.length, "Choose a shorter name.");
  }
  const field = backup.enabled ? needed.find((each) => backup[each] === "") : undefined;
  if (field !== undefined) invalid(`backup.${field}`, missing(field), `Set backup.${field}, or switch backup off.`);
}
