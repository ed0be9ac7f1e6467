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
import { atVersion, type View, type ViewChange, type ViewObject } from "../view/view.ts";
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
      return [{ type: "MODIFIED", object: at(current), previous: shown(previous) }];
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

/** What is known of one namespace from the changes since a version. */
interface Touched {
  version: string;
  /** It, or the viewer's sight of it, began in this time. */
  appeared: boolean;
  /** The viewer may have seen it. */
  seen: boolean;
  previous?: KubeObject;
}

/** The changes since a version as one change of each namespace, from what it was to what it is now. */
function caughtUp(
  tenants: Tenants,
  viewer: Viewer,
  entries: readonly { readonly version: string; readonly change: TenantChange }[],
): readonly ViewChange[] {
  const touched = new Map<string, Touched>();
  const touch = (name: string, version: string, what: Partial<Touched>): void => {
    const known = touched.get(name) ?? { version, appeared: false, seen: false };
    touched.set(name, { ...known, ...what, version: newest(version, known.version) });
  };
  for (const { version, change } of entries) {
    switch (change.is) {
      case "namespace": {
        const { name, previous } = change;
        // The oldest state is the one that the viewer may know.
        const first = previous === undefined || touched.get(name)?.previous !== undefined ? {} : { previous };
        touch(name, version, { ...first, ...(previous === undefined ? { appeared: true } : {}) });
        break;
      }
      case "grant": {
        const { namespace, before } = change.grant;
        if (viewer.keys.some((key) => before.has(key))) touch(namespace, version, { seen: true, appeared: true });
        break;
      }
      case "readers": {
        if (!viewer.keys.some((key) => change.before.has(key))) break;
        for (const { metadata } of tenants.others(viewer))
          touch(metadata.name, version, { seen: true, appeared: true });
        break;
      }
    }
  }
  return [...touched].flatMap(([name, what]): readonly ViewChange[] => {
    const live = tenants.namespace(name);
    const sees = tenants.sees(viewer, name);
    const previous = what.previous === undefined ? {} : { previous: shown(what.previous) };
    if (live !== undefined && sees) {
      const object = atVersion(shown(live), newest(what.version, live.metadata.resourceVersion ?? "0"));
      return [what.appeared ? { type: "ADDED", object } : { type: "MODIFIED", object, ...previous }];
    }
    const last = live ?? what.previous;
    if (last === undefined || !(sees || what.seen)) return [];
    return [{ type: "DELETED", object: atVersion(shown(last), what.version), ...previous }];
  });
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
