/**
 * What no schema can see of a Tenant: its place in the tree and the names that follow from it.
 */
import type { NamespaceValues, TenantPlace } from "../../sdk/context.ts";
import { refuse } from "../../sdk/errors.ts";
import { checkName } from "../../sdk/names.ts";
import { ROOT } from "./place.ts";

/** Refuses a Tenant that cannot have a namespace. */
export function checkPlace(name: string, parent: TenantPlace, child: TenantPlace): void {
  if (parent.namespace !== ROOT && !parent.namespace.startsWith("tenant-")) {
    refuse({
      code: "NotATenant",
      field: "metadata.namespace",
      message: `${parent.namespace} is not the namespace of a tenant`,
      remedy: "Create the tenant in tenant-root or in the namespace of another tenant.",
    });
  }
  checkName(name, "tenant name", "the tenant");
  checkName(child.namespace, "DNS-1123 label", "the tenant's namespace");
}

const LABEL_VALUE = /^$|^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const LABEL_LIMIT = 63;

/** Refuses values that the tenant's Namespace could not carry as labels, from where they are read again. */
export function checkValues(
  own: { readonly host: string; readonly schedulingClass: string },
  values: NamespaceValues,
): void {
  label(own.host === "" ? "metadata.name" : "spec.host", "the tenant's domain", values.host);
  label("spec.schedulingClass", "the scheduling class", values.schedulingClass);
}

function label(field: string, what: string, value: string): void {
  if (value.length <= LABEL_LIMIT && LABEL_VALUE.test(value)) return;
  refuse({
    code: value.length > LABEL_LIMIT ? "NameTooLong" : "InvalidValue",
    field,
    message:
      value.length > LABEL_LIMIT
        ? `${what} ${JSON.stringify(value)} has ${value.length} characters, at most ${LABEL_LIMIT} are possible`
        : `${what} ${JSON.stringify(value)} has characters other than letters, digits, "-", "_" and "."`,
    remedy:
      field === "metadata.name"
        ? "Choose a shorter name, or ask an administrator to set spec.host."
        : "Choose another value.",
  });
}
