/**
 * Events as the lines of a watch, in the form that the client asked for.
 */
import type { Media } from "./media.ts";
import { apiVersion, type Resource, type ServedEvent } from "./resource.ts";
import { asStatusError, statusBody } from "./status.ts";
import { metadataOnly, partial, table } from "./table.ts";
import { QueueOverflow } from "./view/queue.ts";
import type { ViewObject } from "./view/view.ts";

/** The lines; ends with an ERROR event when the source fails. A client too slow for its events is cut off, and resumes. */
export async function* watchLines(
  events: AsyncIterable<ServedEvent>,
  resource: Resource,
  media: Media,
  now: () => number,
): AsyncGenerator<string, void, undefined> {
  let first = true;
  const shown = (object: ViewObject): unknown => {
    if (media.form === "metadata") return metadataOnly(object);
    if (media.form === "object") return object;
    const headers = first;
    first = false;
    const metadata = { resourceVersion: object.metadata.resourceVersion };
    return table(resource.columns, [object], { now: now(), include: media.include, headers, metadata });
  };
  const bookmark = (metadata: Readonly<Record<string, unknown>>): unknown => {
    if (media.form === "table")
      return table(resource.columns, [], { now: now(), include: "None", headers: false, metadata });
    const form =
      media.form === "metadata" ? partial : { kind: resource.names.kind, apiVersion: apiVersion(resource.names) };
    return { ...form, metadata: { creationTimestamp: null, ...metadata } };
  };
  try {
    for await (const event of events) yield `${JSON.stringify(line(event, shown, bookmark))}\n`;
  } catch (error) {
    if (error instanceof QueueOverflow) return;
    yield `${JSON.stringify({ type: "ERROR", object: statusBody(asStatusError(error)) })}\n`;
  }
}

function line(
  event: ServedEvent,
  shown: (object: ViewObject) => unknown,
  bookmark: (metadata: Readonly<Record<string, unknown>>) => unknown,
) {
  switch (event.type) {
    case "ERROR":
      return { type: "ERROR", object: statusBody(event.error) };
    case "BOOKMARK": {
      const { resourceVersion, initialEventsEnd } = event;
      const annotations = initialEventsEnd ? { annotations: { "k8s.io/initial-events-end": "true" } } : {};
      return { type: "BOOKMARK", object: bookmark({ resourceVersion, ...annotations }) };
    }
    default:
      return { type: event.type, object: shown(event.object) };
  }
}
