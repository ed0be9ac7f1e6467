/**
 * How a pass reads the cluster: from stores in the controller (store-view.ts), by requests in the CLI. Every read that
 * fails rejects; only an answer can say that something does not exist.
 */

import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { type AnyKind, groupOf, type Kind, type KubeObject, type ObjectRef } from "../kube/object.ts";
import type { Known } from "./plan-types.ts";

/** Finds the kind of a reference; undefined for a kind that no application and no contract has. */
export type KindLookup = (group: string, kind: string) => AnyKind | undefined;

export interface View {
  /** Whether the API server serves the kind. */
  serves(kind: AnyKind): Promise<boolean>;
  /** Whether an object exists, with as much of it as is at hand. */
  look(kind: AnyKind, name: string, namespace?: string): Promise<Known>;
  /** The whole object. May be as old as the watch; never older than our own last write. */
  read(kind: AnyKind, name: string, namespace?: string): Promise<KubeObject | undefined>;
  /** The whole object as it is now, managedFields included: one request. */
  fresh(kind: AnyKind, name: string, namespace?: string): Promise<KubeObject | undefined>;
  /** Whole objects with these labels, by name; all namespaces when none is given. */
  list(kind: AnyKind, labels: Readonly<Record<string, string>>, namespace?: string): Promise<readonly KubeObject[]>;
  /** Takes in the answer of our own write. */
  wrote(kind: AnyKind, object: KubeObject): void;
}

/** A label selector that matches these labels. */
export function selectorOf(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Objects sorted by name and namespace, so that renders do not depend on the order of answers. */
export function sortedByName<T extends KubeObject>(objects: readonly T[]): readonly T[] {
  return [...objects].sort(
    ({ metadata: a }, { metadata: b }) => inOrder(a.name, b.name) || inOrder(a.namespace ?? "", b.namespace ?? ""),
  );
}

/** Whether an object is of a kind; the version is how it was read. */
export function isOfKind<T extends KubeObject>(kind: Kind<T>, object: KubeObject): object is T {
  return object.kind === kind.kind && groupOf(object.apiVersion) === kind.group;
}

/** A reference to an object of a kind, with the namespace only where the kind has one. */
export function refIn(kind: AnyKind, name: string, namespace: string | undefined): ObjectRef {
  return {
    group: kind.group,
    kind: kind.kind,
    name,
    ...(namespace === undefined || !kind.namespaced ? {} : { namespace }),
  };
}

/** A view that asks the API server each time: for the CLI, which looks once. */
export function clientView(client: Client): View {
  const found = async <T>(read: () => Promise<T | undefined>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      // A kind that is not served has no objects.
      if (isApiError(error, "Unserved")) return undefined;
      throw error;
    }
  };
  const fresh: View["fresh"] = (kind, name, namespace) => found(() => client.get(kind, name, namespace));
  return {
    fresh,
    read: fresh,
    async look(kind, name, namespace) {
      const object = await fresh(kind, name, namespace);
      return object === undefined ? { is: "absent" } : { is: "full", object };
    },
    async serves(kind) {
      try {
        await client.listMetadata(kind, {
          pageSize: 1,
          resourceVersion: "0",
          ...(kind.namespaced ? { namespace: "default" } : {}),
        });
        return true;
      } catch (error) {
        if (isApiError(error, "Unserved")) return false;
        throw error;
      }
    },
    async list(kind, labels, namespace) {
      const labelSelector = selectorOf(labels);
      const scope = {
        ...(namespace === undefined || !kind.namespaced ? {} : { namespace }),
        ...(labelSelector === "" ? {} : { labelSelector }),
      };
      return sortedByName((await found(() => client.list(kind, scope)))?.items ?? []);
    },
    wrote: () => undefined,
  };
}
