/**
 * What is refused by what the platform has, or for documents that no API server has seen.
 */
import { clusterFlag } from "../../sdk/context.ts";
import { refuse } from "../../sdk/errors.ts";
import { keycloakApi } from "../../sdk/keycloak.ts";
import { checkModuleName } from "../../sdk/module-name.ts";
import type { Input } from "./spec.ts";

/** Refuses what depends on the platform, or on more than one field. */
export function check({ release, spec, context }: Input): void {
  checkModuleName(release, "monitoring");
  const { oidc } = spec;
  if (spec.logsStorages.length === 0) {
    refuse({
      code: "InvalidValue",
      field: "spec.logsStorages",
      message: "there is no storage for logs",
      remedy: "Name at least one, or leave the field out for the default.",
    });
  }
  if (oidc.mode !== "System") return;
  const missing = !clusterFlag(context.cluster, "oidc-enabled")
    ? "single sign-on is off on this platform"
    : !context.apis.has(keycloakApi)
      ? `the cluster does not serve ${keycloakApi}: the Keycloak operator is not installed`
      : undefined;
  if (missing === undefined) return;
  refuse({
    code: "InvalidPlatform",
    field: "spec.oidc.mode",
    message: `mode System needs the platform's Keycloak, and ${missing}`,
    remedy: "An administrator turns authentication.oidc on, or use mode CustomConfig with your own provider.",
  });
}
