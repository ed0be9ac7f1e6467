/**
 * TenantSecret: the Secrets that are shown to tenants.
 *
 * Discovery does not tell the verb `delete`, although it is served: controllers that work on everything deletable (the
 * garbage collector, the namespace controller, the quota controller) find the Secret itself, with the same UID, and
 * must not find it a second time here, nor wait for this server.
 */
import type { Client } from "../../../kube/client.ts";
import type { Resource } from "../../resource.ts";
import { ageColumn, nameColumn } from "../../table.ts";
import { names, shown } from "./projection.ts";
import { listSecrets, shownSecret, watchSecrets } from "./reads.ts";
import { applySecret, createSecret, deleteSecret, patchSecret, updateSecret } from "./writes.ts";

const texts = (description: string, format?: string) =>
  ({
    type: "object",
    description,
    additionalProperties: { type: "string", ...(format === undefined ? {} : { format }) },
  }) as const;

/** @param client may read and write every Secret; the API server has judged the caller by RBAC on `tenantsecrets` */
export function tenantSecrets(client: Client): Resource {
  const resource: Resource = {
    names,
    verbs: ["create", "get", "list", "patch", "update", "watch"],
    columns: [
      nameColumn,
      {
        name: "Type",
        type: "string",
        description: "Type of the Secret.",
        cell: (object) => (typeof object["type"] === "string" ? object["type"] : ""),
      },
      ageColumn,
    ],
    schema: {
      type: "object",
      description: "A Secret that is shown to the tenant.",
      properties: {
        type: { type: "string", description: "Type of the Secret. Cannot be changed." },
        data: texts("Values, base64.", "byte"),
        stringData: texts("Values as plain text, for writing only: each is put into data."),
      },
    },
    operations: {
      get: async (request) => shown(await shownSecret(client, request)),
      list: (request, options) => listSecrets(client, request, options),
      watch: (request, options) => watchSecrets(client, request, options),
      create: (request, object, options) => createSecret(client, request, object, options),
      update: (request, object, options) => updateSecret(client, request, object, options),
      patch: (request, type, body, options) =>
        type === "application/apply-patch+yaml"
          ? applySecret(client, request, body, options, resource)
          : patchSecret(client, request, type, body, options, resource),
      delete: (request, options) => deleteSecret(client, request, options),
    },
  };
  return resource;
}
