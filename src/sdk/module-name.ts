/**
 * Modules whose objects have fixed names: there is one of each in a namespace.
 */
import { refuse } from "./errors.ts";

/** Refuses a module of another name than its kind's in lower case, by which others find what it makes. */
export function checkModuleName(name: string, expected: string): void {
  if (name === expected) return;
  refuse({
    code: "InvalidName",
    field: "metadata.name",
    message: `a tenant has one ${expected}, and its name is ${expected}`,
    remedy: `Name it ${expected}, or switch the module on in the Tenant.`,
  });
}
