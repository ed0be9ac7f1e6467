/**
 * A view: what one caller may see of the objects behind a resource, from memory.
 */
import type { UnknownObject } from "../../kube/object.ts";
import { compareResourceVersions } from "../../kube/resource-version.ts";
import type { Caller } from "../incoming.ts";

/** An object as the API serves it. */
export type ViewObject = UnknownObject;

/** What changed for one caller. */
export interface ViewChange {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** As it is now; for DELETED as it was last. Its resourceVersion is that of the change. */
  readonly object: ViewObject;
  /** As it was before, every state that the client may know: a selector may have matched one of them and not this one. */
  readonly earlier?: readonly ViewObject[];
}

export interface View {
  /** Whether the first state is complete. */
  readonly ready: boolean;
  /** The version of everything the view shows now. */
  readonly version: string;
  find(caller: Caller, namespace: string | undefined, name: string): ViewObject | undefined;
  /** In the order of lists: by namespace, then name. */
  all(caller: Caller, namespace: string | undefined): readonly ViewObject[];
  /** Calls `handler` with every change from now on. Returns the function that ends it. */
  follow(caller: Caller, namespace: string | undefined, handler: (change: ViewChange) => void): () => void;
  /** The changes after `version`, some perhaps again; undefined when they are not all known any more. */
  since(caller: Caller, namespace: string | undefined, version: string): readonly ViewChange[] | undefined;
}

/** `object` with another resource version. */
export function atVersion(object: ViewObject, resourceVersion: string): ViewObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion } };
}

/** The order of lists. */
export function byPlace(a: ViewObject, b: ViewObject): number {
  const [first, second] = [placeOf(a), placeOf(b)];
  return first === second ? 0 : first < second ? -1 : 1;
}

/** Sorts as namespace, then name: the separator is below every character of a name. */
export const placeOf = ({ metadata }: ViewObject): string => `${metadata.namespace ?? ""}\u0000${metadata.name}`;

/**
 * The order in which changes are told: by version, so that whoever was told a part of them and comes back with the last
 * version it saw is told the rest.
 */
export function byVersion(a: ViewChange, b: ViewChange): number {
  const versionOf = ({ object }: ViewChange): string => object.metadata.resourceVersion ?? "0";
  return compareResourceVersions(versionOf(a), versionOf(b)) ?? 0;
}
