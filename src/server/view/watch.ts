/**
 * A watch of a view: the state or the changes since a version, then every change, bookmarks in between.
 */
import type { World } from "../../kube/world.ts";
import type { ReadOptions } from "../request-options.ts";
import type { ResourceRequest, ServedEvent } from "../resource.ts";
import type { Selects } from "../selectors.ts";
import { expired } from "../status.ts";
import { EventQueue, readUntilEnd } from "./queue.ts";
import type { View, ViewChange } from "./view.ts";

/** Events that may wait for a client; one that is slower than that begins anew. */
const queueLimit = 10_000;
/** Milliseconds between bookmarks, spread by half of it. */
const bookmarkEvery = 60_000;
/** Seconds a watch lasts when the client does not say, and up to twice that. */
const shortestWatch = 1800;

/** The event of a change for somebody who asked for a part of the objects only. */
export function selected({ type, object, earlier }: ViewChange, selects: Selects): ServedEvent | undefined {
  const now = type !== "DELETED" && selects(object);
  const before = (earlier ?? (type === "ADDED" ? [] : [object])).some(selects);
  if (now) return { type: before && type !== "ADDED" ? "MODIFIED" : "ADDED", object };
  return before ? { type: "DELETED", object } : undefined;
}

/**
 * Begins at once: nothing that changes after the call is missed.
 * @throws StatusError `Expired` when the version to continue from is gone
 */
export function watchView(
  view: View,
  { caller, namespace, signal }: ResourceRequest,
  options: ReadOptions,
  selects: Selects,
  world: World,
): AsyncIterable<ServedEvent> {
  const queue = new EventQueue<ServedEvent>(queueLimit);
  const push = (change: ViewChange): void => {
    const event = selected(change, selects);
    if (event !== undefined) queue.push(event);
  };
  const { resourceVersion, sendInitialEvents, allowWatchBookmarks } = options;
  const anywhere = resourceVersion === "" || resourceVersion === "0";
  if (sendInitialEvents ?? anywhere) {
    for (const object of view.all(caller, namespace)) push({ type: "ADDED", object });
    if (sendInitialEvents === true && allowWatchBookmarks) {
      queue.push({ type: "BOOKMARK", resourceVersion: view.version, initialEventsEnd: true });
    }
  } else if (!anywhere) {
    const changes = view.since(caller, namespace, resourceVersion);
    if (changes === undefined) throw expired(resourceVersion);
    for (const change of changes) push(change);
  }
  const unfollow = view.follow(caller, namespace, push);
  const over = new AbortController();
  const ends = AbortSignal.any([signal, over.signal]);
  const end = (): void => {
    unfollow();
    queue.close();
  };
  if (ends.aborted) end();
  else ends.addEventListener("abort", end, { once: true });
  const after = (ms: number, what: () => void): void => {
    world.sleep(ms, ends).then(what, () => undefined); // ended first: nothing left to do
  };
  const bookmark = (): void => {
    queue.push({ type: "BOOKMARK", resourceVersion: view.version, initialEventsEnd: false });
    after(bookmarkEvery * (0.75 + world.random() / 2), bookmark);
  };
  if (allowWatchBookmarks) after(bookmarkEvery * (0.5 + world.random() / 2), bookmark);
  after((options.timeoutSeconds ?? shortestWatch * (1 + world.random())) * 1000, () => over.abort());
  return readUntilEnd(queue, () => over.abort());
}
