/**
 * A resource of the aggregated API: its names, what can be done with it, and how it is shown.
 */
import type { KubeObject } from "../kube/object.ts";
import type { Answer } from "./answer.ts";
import type { Caller } from "./incoming.ts";
import type { Schema } from "./openapi/schema.ts";
import type { ReadOptions, WriteRequestOptions } from "./request-options.ts";
import type { StatusError, Subject } from "./status.ts";
import type { Column } from "./table.ts";
import type { ViewObject } from "./view/view.ts";

export interface ResourceNames {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly namespaced: boolean;
}

/** One request for a resource. The API server has already judged it by RBAC. */
export interface ResourceRequest {
  readonly caller: Caller;
  /** Undefined: all namespaces, or a cluster-scoped resource. */
  readonly namespace: string | undefined;
  /** Aborted when the client is gone or the server stops. */
  readonly signal: AbortSignal;
  /** Tells the caller something beside a success. */
  warn(message: string): void;
}

export interface NamedRequest extends ResourceRequest {
  readonly name: string;
}

export interface Listing {
  readonly items: readonly ViewObject[];
  readonly resourceVersion: string;
  /** Where the next page begins; absent after the last. */
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export type ServedEvent =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: ViewObject }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: "ERROR"; readonly error: StatusError };

export interface Written {
  readonly object: ViewObject;
  readonly created: boolean;
}

export const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
] as const;
export type PatchType = (typeof patchTypes)[number];

export interface DeleteRequest {
  readonly dryRun: boolean;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: "Foreground" | "Background" | "Orphan";
  readonly gracePeriodSeconds?: number;
}

/** What can be done. A missing method is answered with 405. */
export interface Operations {
  get?(request: NamedRequest): Promise<ViewObject>;
  list?(request: ResourceRequest, options: ReadOptions): Promise<Listing>;
  /** Rejects for a watch that cannot begin; what goes wrong later is an ERROR event. */
  watch?(request: ResourceRequest, options: ReadOptions): Promise<AsyncIterable<ServedEvent>>;
  create?(request: ResourceRequest, object: KubeObject, options: WriteRequestOptions): Promise<ViewObject>;
  update?(request: NamedRequest, object: KubeObject, options: WriteRequestOptions): Promise<Written>;
  patch?(request: NamedRequest, type: PatchType, body: string, options: WriteRequestOptions): Promise<Written>;
  delete?(request: NamedRequest, options: DeleteRequest): Promise<Answer>;
}

export interface Resource {
  readonly names: ResourceNames;
  /** The verbs that discovery tells; see the resources for those it does not. */
  readonly verbs: readonly string[];
  readonly columns: readonly Column[];
  /** Of the object's own fields, beside apiVersion, kind and metadata. */
  readonly schema: Schema;
  readonly operations: Operations;
}

export const apiVersion = ({ group, version }: Pick<ResourceNames, "group" | "version">): string =>
  `${group}/${version}`;

export const subjectOf = ({ group, plural }: ResourceNames, name?: string): Subject => ({
  group,
  plural,
  ...(name === undefined ? {} : { name }),
});
