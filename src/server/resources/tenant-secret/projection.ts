/**
 * From a Secret to the TenantSecret that stands for it. One is shown if it carries the marker, which the controller of
 * lineage sets; the marker itself is not shown.
 */
import type { Secret } from "../../../kube/core-kinds.ts";
import { isRecord } from "../../../kube/json.ts";
import type { ManagedFieldsEntry } from "../../../kube/object.ts";
import { coreApi } from "../../group.ts";
import { apiVersion, type ResourceNames } from "../../resource.ts";
import type { ViewObject } from "../../view/view.ts";

export const names: ResourceNames = {
  ...coreApi,
  kind: "TenantSecret",
  plural: "tenantsecrets",
  singular: "tenantsecret",
  namespaced: true,
};

export const marker = "internal.cozystack.io/tenantresource";

export const isShown = ({ metadata }: Pick<Secret, "metadata">): boolean => metadata.labels?.[marker] === "true";

/** The fields of a Secret that a TenantSecret has under the same path. */
const shownFields: readonly string[] = ["f:data", "f:type", "f:metadata"];
const shownMetadata: readonly string[] = ["f:labels", "f:annotations"];

function withoutMarker(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { [`f:${marker}`]: _, ...rest } = fields;
  return rest;
}

/** The managed fields of the Secret as those of the TenantSecret: field names are the same, hidden ones are left out. */
export function shownManagedFields(entries: readonly ManagedFieldsEntry[]): readonly ManagedFieldsEntry[] {
  return entries.flatMap((entry) => {
    const { fieldsV1 } = entry;
    if (!isRecord(fieldsV1) || entry.subresource !== undefined) return [];
    const fields = Object.entries(fieldsV1)
      .filter(([key]) => shownFields.includes(key))
      .map(([key, value]): [string, unknown] => {
        if (key !== "f:metadata" || !isRecord(value)) return [key, value];
        const metadata = Object.entries(value)
          .filter(([name]) => shownMetadata.includes(name))
          .map(([name, map]) => [name, isRecord(map) ? withoutMarker(map) : map]);
        return [key, Object.fromEntries(metadata)];
      });
    return fields.length === 0
      ? []
      : [{ ...entry, apiVersion: apiVersion(names), fieldsV1: Object.fromEntries(fields) }];
  });
}

/** The Secret as its TenantSecret. Values are in `data` only: `stringData` is for writing, as with a Secret. */
export function shown(secret: Secret): ViewObject {
  const { metadata, type, data } = secret;
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, annotations } = metadata;
  const { [marker]: _, ...labels } = metadata.labels ?? {};
  const managedFields = shownManagedFields(metadata.managedFields ?? []);
  return {
    kind: names.kind,
    apiVersion: apiVersion(names),
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(managedFields.length === 0 ? {} : { managedFields }),
    },
    ...(type === undefined ? {} : { type }),
    ...(data === undefined ? {} : { data }),
  };
}
