/**
 * A watch from a resume point, or from the beginning: there the server streams the initial objects itself (WatchList),
 * or, where it does not know how, a paged list stands in for them.
 */
import type { WatchEvent, WatchOptions } from "./client.ts";
import type { Decoder } from "./decode.ts";
import { isApiError } from "./errors.ts";
import { metadataAccept, readList } from "./list.ts";
import type { AnyKind, KubeObject } from "./object.ts";
import { collectionPath, type Query, withQuery } from "./paths.ts";
import type { Request } from "./request.ts";
import type { Headers, Transport } from "./transport.ts";
import { watchConnection } from "./watch.ts";

/** The server ends a watch after this time and up to twice it, spread so that watches do not all reconnect at once. */
const shortestWatchSeconds = 300;

/** Kinds whose server refused initial events; asked once per transport. */
const withoutInitialEvents = new WeakMap<Transport, Set<string>>();

export async function* watchFrom<T extends KubeObject>(
  transport: Transport,
  headers: Headers,
  kind: AnyKind,
  decode: Decoder<T>,
  options: WatchOptions,
  form: "full" | "metadata",
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const connection = (query: Query) => {
    const timeoutSeconds = Math.round(shortestWatchSeconds * (1 + transport.world.random()));
    const request: Request = {
      verb: "watch",
      method: "GET",
      path: withQuery(collectionPath(kind, options.namespace), {
        watch: 1,
        allowWatchBookmarks: true,
        timeoutSeconds,
        labelSelector: options.labelSelector,
        fieldSelector: options.fieldSelector,
        ...query,
      }),
      write: false,
      group: kind.group,
      kind: kind.kind,
      ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
      ...(form === "full" ? {} : { accept: metadataAccept("PartialObjectMetadata") }),
    };
    return watchConnection(transport, headers, request, decode, timeoutSeconds, options.signal);
  };

  if (options.resourceVersion !== undefined) {
    yield* connection({ resourceVersion: options.resourceVersion });
    return;
  }

  const refused = withoutInitialEvents.get(transport) ?? new Set<string>();
  const key = `${kind.plural}.${kind.group}`;
  if (!refused.has(key)) {
    let begun = false;
    try {
      for await (const event of connection({ sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" })) {
        begun = true;
        yield event;
      }
      return;
    } catch (error) {
      if (begun || !isApiError(error, "BadRequest", "Invalid", "MethodNotAllowed")) throw error;
      withoutInitialEvents.set(transport, refused.add(key));
    }
  }

  const accept = form === "full" ? undefined : metadataAccept("PartialObjectMetadataList");
  const list = await readList(transport, headers, kind, decode, options, accept);
  const { resourceVersion } = list;
  for (const object of list.items) yield { type: "added", object };
  yield { type: "synced", resourceVersion };
  yield* connection({ resourceVersion });
}
