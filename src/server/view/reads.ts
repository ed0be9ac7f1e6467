/**
 * get, list and watch of a resource whose view is in memory.
 */
import { compareResourceVersions } from "../../kube/resource-version.ts";
import type { World } from "../../kube/world.ts";
import type { ReadOptions } from "../request-options.ts";
import { type Operations, type ResourceNames, type ServedEvent, subjectOf } from "../resource.ts";
import { selection } from "../selectors.ts";
import { expired, notFound, StatusError, tooNew } from "../status.ts";
import { decodePosition, page } from "./pages.ts";
import type { View } from "./view.ts";
import { watchView } from "./watch.ts";

/** How long a list waits for a version that another replica has and this one has not. Milliseconds. */
const versionWait = 3000;
const versionPoll = 20;

const reached = (view: View, version: string): boolean =>
  version === "" || version === "0" || (compareResourceVersions(view.version, version) ?? 0) >= 0;

/** @throws StatusError `ServiceUnavailable` until the view knows everything. */
function readable(view: View): View {
  if (view.ready) return view;
  throw new StatusError("ServiceUnavailable", "this replica is still reading the cluster's state", {
    retryAfterSeconds: 1,
  });
}

async function upTo(view: View, version: string, world: World, signal: AbortSignal): Promise<void> {
  const until = world.monotonic() + versionWait;
  while (!reached(view, version)) {
    if (world.monotonic() > until) throw tooNew(version, view.version);
    await world.sleep(versionPoll, signal);
  }
}

/** Lists at an exact version are those of now only. */
function checkExact(view: View, options: ReadOptions): void {
  const { resourceVersion, resourceVersionMatch } = options;
  if (resourceVersionMatch === "Exact" && resourceVersion !== view.version) throw expired(resourceVersion);
}

export function viewReads(
  view: View,
  names: ResourceNames,
  world: World,
): Required<Pick<Operations, "get" | "list" | "watch">> {
  return {
    async get({ caller, namespace, name }) {
      const found = readable(view).find(caller, namespace, name);
      if (found === undefined) throw notFound(subjectOf(names, name));
      return found;
    },
    async list({ caller, namespace, signal }, options) {
      const selects = selection(options.labelSelector, options.fieldSelector, names.plural);
      const start = options.continue === "" ? undefined : decodePosition(options.continue);
      await upTo(readable(view), start?.version ?? options.resourceVersion, world, signal);
      checkExact(view, options);
      if (start !== undefined && view.since(caller, namespace, start.version) === undefined)
        throw expired(start.version);
      const items = view.all(caller, namespace).filter(selects);
      const listing = page(items, options.limit, start, view.version);
      // As the API server: what is left is not counted where a selector chooses.
      if (options.labelSelector === "" && options.fieldSelector === "") return listing;
      const { remainingItemCount: _, ...selected } = listing;
      return selected;
    },
    async watch(request, options): Promise<AsyncIterable<ServedEvent>> {
      const selects = selection(options.labelSelector, options.fieldSelector, names.plural);
      readable(view);
      if (options.sendInitialEvents === true) await upTo(view, options.resourceVersion, world, request.signal);
      return watchView(view, request, options, selects, world);
    },
  };
}
