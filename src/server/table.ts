/**
 * Tables: what `kubectl get` shows.
 */
import { apiVersionOf } from "../kube/object.ts";
import { age } from "./duration.ts";
import type { ViewObject } from "./view/view.ts";

export interface Column {
  readonly name: string;
  readonly type: "string" | "integer";
  readonly format?: "name";
  readonly description: string;
  cell(object: ViewObject, now: number): string | number;
}

export const nameColumn: Column = {
  name: "Name",
  type: "string",
  format: "name",
  description: "Name of the object.",
  cell: ({ metadata }) => metadata.name,
};

export const ageColumn: Column = {
  name: "Age",
  type: "string",
  description: "Time since the object was created.",
  cell: ({ metadata }, now) => age(metadata.creationTimestamp, now),
};

export interface TableOptions {
  readonly now: number;
  /** How much of each object its row carries. */
  readonly include: "None" | "Metadata" | "Object";
  /** False for all tables of a watch but the first. */
  readonly headers: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
}

const meta = apiVersionOf({ group: "meta.k8s.io", version: "v1" });

/** What an object is called of which only the metadata is given. */
export const partial = { kind: "PartialObjectMetadata", apiVersion: meta } as const;

/** The object's metadata as an object of its own. */
export function metadataOnly({ metadata }: ViewObject) {
  return { ...partial, metadata };
}

export function table(columns: readonly Column[], objects: readonly ViewObject[], options: TableOptions) {
  const { now, include, headers, metadata } = options;
  return {
    kind: "Table",
    apiVersion: meta,
    metadata,
    columnDefinitions: headers
      ? columns.map(({ name, type, format = "", description }) => ({ name, type, format, description, priority: 0 }))
      : null,
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object, now)),
      ...(include === "None" ? {} : { object: include === "Object" ? object : metadataOnly(object) }),
    })),
  };
}
