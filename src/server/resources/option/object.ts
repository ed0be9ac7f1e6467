/**
 * The Option that a source gives.
 */
import { isDeepStrictEqual } from "node:util";
import { valueAt } from "../../../kube/json.ts";
import { coreApi } from "../../group.ts";
import { apiVersion, type ResourceNames } from "../../resource.ts";
import type { ViewObject } from "../../view/view.ts";
import type { OpenSource } from "./open-source.ts";

export const names: ResourceNames = {
  ...coreApi,
  kind: "Option",
  plural: "options",
  singular: "option",
  namespaced: true,
};

export function optionOf(open: OpenSource, namespace: string | undefined): ViewObject {
  return {
    kind: names.kind,
    apiVersion: apiVersion(names),
    metadata: {
      name: open.source.name,
      ...(namespace === undefined ? {} : { namespace }),
      resourceVersion: open.version,
    },
    spec: { items: open.items(namespace) },
  };
}

export function itemsOf(option: ViewObject): readonly unknown[] {
  const items = valueAt(option, "spec", "items");
  return Array.isArray(items) ? items : [];
}

/** Whether both offer the same. */
export const sameItems = (a: ViewObject, b: ViewObject): boolean => isDeepStrictEqual(itemsOf(a), itemsOf(b));
