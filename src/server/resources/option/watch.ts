/**
 * A watch of Options: each as soon as it is known, then whenever its choices change.
 */
import type { World } from "../../../kube/world.ts";
import type { ReadOptions } from "../../request-options.ts";
import type { ResourceRequest, ServedEvent } from "../../resource.ts";
import { newest } from "../../view/journal.ts";
import { EventQueue, readUntilEnd } from "../../view/queue.ts";
import type { ViewObject } from "../../view/view.ts";
import { optionOf, sameItems } from "./object.ts";
import type { OpenSource } from "./open-source.ts";

const queueLimit = 1000;
/** Milliseconds between bookmarks. */
const bookmarkEvery = 60_000;
/** Seconds a watch lasts when the client does not say, and up to twice that. */
const shortestWatch = 1800;

/** Milliseconds after which the beginning is over, whatever is still being read. */
const patience = 3000;
/** Milliseconds within which changes of a source are told as one. */
const together = 50;

export function watchOptions(
  sources: readonly OpenSource[],
  { namespace, signal }: ResourceRequest,
  options: ReadOptions,
  world: World,
): AsyncIterable<ServedEvent> {
  const queue = new EventQueue<ServedEvent>(queueLimit);
  const over = new AbortController();
  const ends = AbortSignal.any([signal, over.signal]);
  const after = (ms: number, what: () => void): void => {
    world.sleep(ms, ends).then(what, () => undefined); // ended first: nothing left to do
  };
  const { resourceVersion, sendInitialEvents, allowWatchBookmarks } = options;
  const anywhere = resourceVersion === "" || resourceVersion === "0";
  const initial = sendInitialEvents ?? anywhere;
  const told = new Map<OpenSource, ViewObject>();
  let initialEnd = initial && sendInitialEvents === true && allowWatchBookmarks;

  const isKnown = (open: OpenSource): boolean =>
    !initial && !anywhere && newest(open.version, resourceVersion) === resourceVersion;
  const look = (open: OpenSource): void => {
    if (!open.ready) return;
    const object = optionOf(open, namespace);
    const before = told.get(open);
    told.set(open, object);
    if (before === undefined) {
      if (initial) queue.push({ type: "ADDED", object });
      else if (!isKnown(open) && !anywhere) queue.push({ type: "MODIFIED", object });
    } else if (!sameItems(before, object)) queue.push({ type: "MODIFIED", object });
    if (told.size === sources.length) endInitial();
  };
  const endInitial = (): void => {
    if (!initialEnd) return;
    initialEnd = false;
    bookmark(true);
  };
  const bookmark = (initialEventsEnd: boolean): void => {
    const version = sources.reduce((latest, open) => newest(open.version, latest), "0");
    queue.push({ type: "BOOKMARK", resourceVersion: version, initialEventsEnd });
  };
  const regularly = (): void => {
    if (!initialEnd) bookmark(false);
    after(bookmarkEvery * (0.75 + world.random() / 2), regularly);
  };

  const waiting = new Set<OpenSource>();
  const unfollow = sources.map((open) => {
    look(open);
    return open.follow(() => {
      if (waiting.has(open)) return;
      waiting.add(open);
      after(together, () => {
        waiting.delete(open);
        look(open);
      });
    });
  });
  if (sources.length === 0) endInitial();
  after(patience, endInitial);
  if (allowWatchBookmarks) after(bookmarkEvery, regularly);
  after((options.timeoutSeconds ?? shortestWatch * (1 + world.random())) * 1000, () => over.abort());
  const end = (): void => {
    for (const one of unfollow) one();
    queue.close();
  };
  if (ends.aborted) end();
  else ends.addEventListener("abort", end, { once: true });
  return readUntilEnd(queue, () => over.abort());
}
