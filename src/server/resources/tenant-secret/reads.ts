/**
 * get, list and watch of TenantSecrets: requests for Secrets with the marker, passed on to the API server. No Secret stays
 * in this process, pages and resource versions are the API server's own, and every replica gives the same answers.
 */
import type { Client } from "../../../kube/client.ts";
import { Secret } from "../../../kube/core-kinds.ts";
import { isApiError } from "../../../kube/errors.ts";
import { isRecord, valueAt } from "../../../kube/json.ts";
import { collectionPath, withQuery } from "../../../kube/paths.ts";
import type { ReadOptions } from "../../request-options.ts";
import { type Listing, type NamedRequest, type ResourceRequest, type ServedEvent, subjectOf } from "../../resource.ts";
import { selection } from "../../selectors.ts";
import { asStatusError, notFound, StatusError } from "../../status.ts";
import type { ViewObject } from "../../view/view.ts";
import { isShown, marker, names, shown } from "./projection.ts";

/** The Secret behind a TenantSecret. @throws StatusError `NotFound`, whether there is none or it is not shown */
export async function shownSecret(client: Client, { name, namespace, signal }: NamedRequest): Promise<Secret> {
  const secret = await client.get(Secret, name, namespace, { signal });
  if (secret === undefined || !isShown(secret)) throw notFound(subjectOf(names, name));
  return secret;
}

type Reader = Pick<Client, "raw" | "watch">;

/** The caller's selectors, checked, with the marker. */
function selectors({ labelSelector, fieldSelector }: ReadOptions) {
  // Only for its errors: the API server selects.
  selection(labelSelector, fieldSelector, names.plural);
  return {
    labelSelector: labelSelector === "" ? `${marker}=true` : `${marker}=true,${labelSelector}`,
    ...(fieldSelector === "" ? {} : { fieldSelector }),
  };
}

function isSecret(value: unknown): value is Secret {
  return isRecord(value) && isRecord(value["metadata"]) && typeof value["metadata"]["name"] === "string";
}

/** An item of a list: without managed fields, as an event of a watch. */
function item(secret: Secret): ViewObject {
  const { managedFields: _, ...metadata } = secret.metadata;
  return shown({ ...secret, metadata });
}

export async function listSecrets(client: Reader, request: ResourceRequest, options: ReadOptions): Promise<Listing> {
  const { resourceVersion, resourceVersionMatch, limit, continue: start } = options;
  const path = withQuery(collectionPath(Secret, request.namespace), {
    ...selectors(options),
    limit: limit === 0 ? undefined : limit,
    continue: start === "" ? undefined : start,
    resourceVersion: resourceVersion === "" ? undefined : resourceVersion,
    resourceVersionMatch: resourceVersionMatch === "" ? undefined : resourceVersionMatch,
  });
  const answer = await client.raw("GET", path, undefined, { signal: request.signal });
  const items = valueAt(answer, "items");
  const version = valueAt(answer, "metadata", "resourceVersion");
  if (!Array.isArray(items) || typeof version !== "string")
    throw new StatusError("ServiceUnavailable", "no list of Secrets came");
  const next = valueAt(answer, "metadata", "continue");
  const left = valueAt(answer, "metadata", "remainingItemCount");
  return {
    items: items.filter(isSecret).map(item),
    resourceVersion: version,
    ...(typeof next === "string" && next !== "" ? { continue: next } : {}),
    ...(typeof left === "number" ? { remainingItemCount: left } : {}),
  };
}

/** The version of now, for a watch that wants neither objects nor a version. */
async function currentVersion(client: Reader, request: ResourceRequest): Promise<string> {
  const path = withQuery(collectionPath(Secret, request.namespace), { limit: 1, labelSelector: marker });
  const version = valueAt(
    await client.raw("GET", path, undefined, { signal: request.signal }),
    "metadata",
    "resourceVersion",
  );
  if (typeof version !== "string") throw new StatusError("ServiceUnavailable", "no list of Secrets came");
  return version;
}

export async function watchSecrets(
  client: Reader,
  request: ResourceRequest,
  options: ReadOptions,
): Promise<AsyncIterable<ServedEvent>> {
  const { resourceVersion, sendInitialEvents, timeoutSeconds } = options;
  const scope = { ...selectors(options), ...(request.namespace === undefined ? {} : { namespace: request.namespace }) };
  const anywhere = resourceVersion === "" || resourceVersion === "0";
  const initial = sendInitialEvents ?? anywhere;
  const from = initial ? {} : { resourceVersion: anywhere ? await currentVersion(client, request) : resourceVersion };
  const over = timeoutSeconds === undefined ? [] : [AbortSignal.timeout(timeoutSeconds * 1000)];
  return events(client, { ...scope, ...from, signal: AbortSignal.any([request.signal, ...over]) }, options);
}

async function* events(
  client: Reader,
  watch: Parameters<Client["watch"]>[1] & { readonly signal: AbortSignal },
  { allowWatchBookmarks, sendInitialEvents }: ReadOptions,
): AsyncGenerator<ServedEvent, void, undefined> {
  try {
    for await (const event of client.watch(Secret, watch)) {
      switch (event.type) {
        case "added":
          yield { type: "ADDED", object: item(event.object) };
          break;
        case "modified":
          yield { type: "MODIFIED", object: item(event.object) };
          break;
        case "deleted":
          yield { type: "DELETED", object: item(event.object) };
          break;
        default: {
          const initialEventsEnd = event.type === "synced" && sendInitialEvents === true;
          if (allowWatchBookmarks) yield { type: "BOOKMARK", resourceVersion: event.resourceVersion, initialEventsEnd };
        }
      }
    }
  } catch (error) {
    // The client is gone, or its time is over; or the connection behind broke, and it resumes where it is.
    if (watch.signal.aborted || isApiError(error, "Network", "Aborted")) return;
    yield { type: "ERROR", error: asStatusError(error, subjectOf(names)) };
  }
}
