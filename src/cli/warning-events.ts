/**
 * Warnings that the cluster's components gave about objects: each thing that was said once, however often.
 */
import { Event, type EventObject } from "../contracts/core.ts";
import type { Client } from "../kube/client.ts";
import { keyOf } from "../kube/object.ts";

const mostEvents = 3;

/** Texts by the key of the object that they are about, newest first. */
export async function warningsIn(
  client: Client,
  namespaces: ReadonlySet<string>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const lists = await Promise.all(
    [...namespaces].map((namespace) => client.list(Event, { namespace, fieldSelector: "type=Warning" })),
  );
  const byObject = Map.groupBy(
    lists.flatMap(({ items }) => items),
    ({ involvedObject: about }) => {
      const apiVersion = about?.apiVersion ?? "";
      const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
      return keyOf({ group, kind: about?.kind ?? "", namespace: about?.namespace ?? "", name: about?.name ?? "" });
    },
  );
  return new Map([...byObject].map(([key, events]) => [key, eventTexts(events)]));
}

/** The newest of what was said, at most so many. What differs only in the name of a pod that was tried is the same. */
export function eventTexts(events: readonly EventObject[]): readonly string[] {
  const sorted = [...events].sort((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
  const same = Map.groupBy(sorted, ({ reason = "", message = "" }) => `${reason} ${message.replace(/"[^"]*"/g, '""')}`);
  return [...same.values()].slice(0, mostEvents).flatMap((all) => {
    const [newest] = all;
    return newest === undefined ? [] : [eventText(newest, all)];
  });
}

const timeOf = ({ lastTimestamp, eventTime }: EventObject): string => lastTimestamp ?? eventTime ?? "";

function eventText({ reason = "", message = "" }: EventObject, all: readonly EventObject[]): string {
  const times = all.reduce((sum, { count = 1 }) => sum + count, 0);
  return `${reason}: ${message}${times > 1 ? ` (${times} times)` : ""}`;
}
