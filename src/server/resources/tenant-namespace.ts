/**
 * TenantNamespace: the Namespaces of the tenants that the caller has to do with. Read only. A namespace that the caller
 * may not see and one that does not exist give the same answer.
 */
import type { KubeObject } from "../../kube/object.ts";
import type { World } from "../../kube/world.ts";
import { coreApi } from "../group.ts";
import { apiVersion, type Resource, type ResourceNames } from "../resource.ts";
import { ageColumn, nameColumn } from "../table.ts";
import { newest } from "../view/journal.ts";
import { viewReads } from "../view/reads.ts";
import { atVersion, byVersion, type View, type ViewChange, type ViewObject } from "../view/view.ts";
import { sightings, type VersionedChange } from "../visibility/past.ts";
import { type TenantChange, type Tenants, tenantPrefix, type Viewer, viewerOf } from "../visibility/tenants.ts";

const names: ResourceNames = {
  ...coreApi,
  kind: "TenantNamespace",
  plural: "tenantnamespaces",
  singular: "tenantnamespace",
  namespaced: false,
};

/** The same for get, list and watch. */
function shown({ metadata }: KubeObject): ViewObject {
  const { name, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels, annotations } = metadata;
  return {
    kind: names.kind,
    apiVersion: apiVersion(names),
    metadata: {
      name,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
  };
}

/** What one change means to one viewer, as it happens. */
function changesFor(tenants: Tenants, viewer: Viewer, change: TenantChange, version: string): readonly ViewChange[] {
  const at = (object: KubeObject): ViewObject => atVersion(shown(object), version);
  switch (change.is) {
    case "namespace": {
      const { previous, current } = change;
      if (!tenants.sees(viewer, change.name)) return [];
      if (current === undefined) return previous === undefined ? [] : [{ type: "DELETED", object: at(previous) }];
      if (previous === undefined) return [{ type: "ADDED", object: at(current) }];
      return [{ type: "MODIFIED", object: at(current), earlier: [shown(previous)] }];
    }
    case "grant": {
      const { namespace } = change.grant;
      const [before, now] = [tenants.sawBefore(viewer, change.grant), tenants.sees(viewer, namespace)];
      const object = tenants.namespace(namespace);
      return before === now || object === undefined ? [] : [{ type: now ? "ADDED" : "DELETED", object: at(object) }];
    }
    case "readers": {
      const [before, now] = [tenants.sawAllBefore(viewer, change.before), tenants.seesAll(viewer)];
      if (before === now) return [];
      return tenants.others(viewer).map((object) => ({ type: now ? "ADDED" : "DELETED", object: at(object) }));
    }
  }
}

/** Changes as one change of each namespace, from what it was to what it is now. */
function caughtUp(tenants: Tenants, viewer: Viewer, changes: readonly VersionedChange[]): readonly ViewChange[] {
  const told = sightings(tenants, viewer, changes).flatMap(
    ({ version, states, atFirst, now }): readonly ViewChange[] => {
      const last = now ?? states[0];
      if (last === undefined) return [];
      const object = atVersion(shown(last), newest(version, last.metadata.resourceVersion ?? "0"));
      const type = now === undefined ? "DELETED" : atFirst ? "MODIFIED" : "ADDED";
      return [{ type, object, earlier: states.map(shown) }];
    },
  );
  return told.sort(byVersion);
}

export function tenantNamespaceView(tenants: Tenants): View {
  return {
    get ready() {
      return tenants.ready;
    },
    get version() {
      return tenants.version;
    },
    find(caller, _, name) {
      const live = name.startsWith(tenantPrefix) ? tenants.namespace(name) : undefined;
      return live !== undefined && tenants.sees(viewerOf(caller), name) ? shown(live) : undefined;
    },
    all: (caller) => tenants.visible(viewerOf(caller)).map(shown),
    follow(caller, _, handler) {
      const viewer = viewerOf(caller);
      return tenants.follow((change, version) => changesFor(tenants, viewer, change, version).forEach(handler));
    },
    since(caller, _, version) {
      const entries = tenants.since(version);
      return entries === undefined ? undefined : caughtUp(tenants, viewerOf(caller), entries);
    },
  };
}

export function tenantNamespaces(tenants: Tenants, world: World): Resource {
  return {
    names,
    verbs: ["get", "list", "watch"],
    columns: [nameColumn, ageColumn],
    schema: {
      type: "object",
      description: "The namespace of a tenant that you have access to. Its labels are those of the Namespace.",
      properties: {},
    },
    operations: viewReads(tenantNamespaceView(tenants), names, world),
  };
}
