/**
 * The requests for resources: from path, method and body to an operation, and from its result to an answer in the form
 * that the client asked for.
 */
import { stringify } from "yaml";
import { type Answer, type Document, json } from "./answer.ts";
import { deleteRequest, objectOf } from "./bodies.ts";
import { type Caller, type Incoming, mediaType } from "./incoming.ts";
import { type Media, mediaOf } from "./media.ts";
import { readOptions, writeOptions } from "./request-options.ts";
import {
  apiVersion,
  type Listing,
  type NamedRequest,
  type PatchType,
  patchTypes,
  type Resource,
  type ResourceRequest,
  subjectOf,
} from "./resource.ts";
import { asStatusError, methodNotAllowed, notFound, StatusError, type Subject } from "./status.ts";
import { metadataOnly, partial, table } from "./table.ts";
import type { ViewObject } from "./view/view.ts";
import { watchLines } from "./watch-lines.ts";

/** What a path below `/apis/GROUP/VERSION/` names. */
interface Target {
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

const unknownPath = (path: string): StatusError => notFound({ group: "", plural: "path", name: path });

function targetOf(resources: readonly Resource[], path: string): Target {
  // /apis/GROUP/VERSION/[namespaces/NAMESPACE/]PLURAL[/NAME]
  const segments = path.split("/").slice(4).map(decodeURIComponent);
  const within = segments[0] === "namespaces" && segments.length > 2;
  const namespace = within ? segments[1] : undefined;
  const [plural, name, ...more] = within ? segments.slice(2) : segments;
  const resource = resources.find(({ names }) => names.plural === plural);
  if (resource === undefined || more.length > 0 || name === "") throw unknownPath(path);
  if (within !== resource.names.namespaced && (within || name !== undefined)) throw unknownPath(path);
  return { resource, namespace, name };
}

export interface RestOptions {
  readonly resources: readonly Resource[];
  readonly now: () => number;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

/** Answers one request for a resource. Rejects with what becomes a Status. */
export async function serveResource(options: RestOptions, incoming: Incoming, caller: Caller): Promise<Answer> {
  const { resource, namespace, name } = targetOf(options.resources, incoming.path);
  const subject = subjectOf(resource.names, name);
  const warnings: string[] = [];
  const request: ResourceRequest = {
    caller,
    namespace,
    signal: AbortSignal.any([incoming.signal, options.stopping]),
    warn: (message) => warnings.push(message),
  };
  try {
    const answer = await dispatch(resource, request, name, incoming, options.now);
    return answer.is === "document" && warnings.length > 0 ? { ...answer, warnings } : answer;
  } catch (error) {
    throw asStatusError(error, subject);
  }
}

function dispatch(
  resource: Resource,
  request: ResourceRequest,
  name: string | undefined,
  incoming: Incoming,
  now: () => number,
): Promise<Answer> {
  if (name === undefined) return onCollection(resource, request, incoming, now);
  return onObject(resource, { ...request, name }, incoming, now);
}

async function onCollection(
  resource: Resource,
  request: ResourceRequest,
  incoming: Incoming,
  now: () => number,
): Promise<Answer> {
  const { operations, names } = resource;
  const subject = subjectOf(names);
  switch (incoming.method) {
    case "GET": {
      const media = mediaOf(incoming.header("accept"), incoming.query);
      const options = readOptions(incoming.query);
      if (!options.watch) {
        return listAnswer(resource, await supported(operations.list, subject, "list")(request, options), media, now());
      }
      const events = await supported(operations.watch, subject, "watch")(request, options);
      const contentType = "application/json;stream=watch";
      return { is: "stream", contentType, lines: watchLines(events, resource, media, now) };
    }
    case "POST": {
      const create = supported(operations.create, subject, "create");
      const media = mediaOf(incoming.header("accept"), incoming.query);
      const object = await objectOf(incoming, resource, request.namespace, undefined, request.warn);
      return objectAnswer(resource, await create(request, object, writeOptions(incoming)), media, now(), 201);
    }
    default:
      throw methodNotAllowed(subject, incoming.method.toLowerCase());
  }
}

async function onObject(
  resource: Resource,
  request: NamedRequest,
  incoming: Incoming,
  now: () => number,
): Promise<Answer> {
  const { operations, names } = resource;
  const subject = subjectOf(names, request.name);
  const media = mediaOf(incoming.header("accept"), incoming.query);
  switch (incoming.method) {
    case "GET":
      return objectAnswer(resource, await supported(operations.get, subject, "get")(request), media, now());
    case "PUT": {
      const update = supported(operations.update, subject, "update");
      const object = await objectOf(incoming, resource, request.namespace, request.name, request.warn);
      const written = await update(request, object, writeOptions(incoming));
      return objectAnswer(resource, written.object, media, now(), written.created ? 201 : 200);
    }
    case "PATCH": {
      const patch = supported(operations.patch, subject, "patch");
      const type = patchTypeOf(incoming);
      const written = await patch(request, type, await incoming.body(), writeOptions(incoming));
      return objectAnswer(resource, written.object, media, now(), written.created ? 201 : 200);
    }
    case "DELETE":
      return supported(operations.delete, subject, "delete")(request, await deleteRequest(incoming));
    default:
      throw methodNotAllowed(subject, incoming.method.toLowerCase());
  }
}

function supported<F>(operation: F | undefined, subject: Subject, verb: string): F {
  if (operation === undefined) throw methodNotAllowed(subject, verb);
  return operation;
}

function patchTypeOf(incoming: Incoming): PatchType {
  const type = mediaType(incoming);
  const found = patchTypes.find((one) => one === type);
  if (found !== undefined) return found;
  throw new StatusError(
    "UnsupportedMediaType",
    `a patch of type ${JSON.stringify(type)}; served are ${patchTypes.join(", ")}`,
  );
}

function encoded(value: unknown, media: Media, status: number): Document {
  if (!media.yaml) return json(value, status);
  return { is: "document", status, contentType: "application/yaml", body: stringify(value) };
}

function objectAnswer(resource: Resource, object: ViewObject, media: Media, now: number, status = 200): Document {
  switch (media.form) {
    case "object":
      return encoded(object, media, status);
    case "metadata":
      return encoded(metadataOnly(object), media, status);
    case "table": {
      const metadata = { resourceVersion: object.metadata.resourceVersion };
      const options = { now, include: media.include, headers: true, metadata };
      return encoded(table(resource.columns, [object], options), media, status);
    }
  }
}

function listAnswer(resource: Resource, listing: Listing, media: Media, now: number): Document {
  const { items, resourceVersion, continue: next, remainingItemCount } = listing;
  const metadata = {
    resourceVersion,
    ...(next === undefined ? {} : { continue: next }),
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
  };
  switch (media.form) {
    case "object": {
      const kind = `${resource.names.kind}List`;
      return encoded({ kind, apiVersion: apiVersion(resource.names), metadata, items }, media, 200);
    }
    case "metadata":
      return encoded({ ...partial, kind: `${partial.kind}List`, metadata, items: items.map(metadataOnly) }, media, 200);
    case "table":
      return encoded(
        table(resource.columns, items, { now, include: media.include, headers: true, metadata }),
        media,
        200,
      );
  }
}
