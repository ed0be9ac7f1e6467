/**
 * The client: the calls of {@link Client} as requests to one API server.
 */
import type { ClusterAccess } from "./access.ts";
import type { ApplyOptions, Client, DeleteOptions, Identity, ListOptions, WriteOptions } from "./client.ts";
import { type Decoder, decoder } from "./decode.ts";
import { isApiError } from "./errors.ts";
import { defaultPageSize, eachPage, metadataAccept, readList } from "./list.ts";
import type { AnyKind, Kind, KubeObject, UnknownObject } from "./object.ts";
import { collectionPath, namespaceFor, objectPath, type Query, withQuery } from "./paths.ts";
import type { Intercept, InterceptEvent, Request, RequestOutcome, Verb } from "./request.ts";
import { type Headers, openTransport, type Transport } from "./transport.ts";
import { watchFrom } from "./watch-from.ts";
import { systemWorld, type World } from "./world.ts";

export interface ConnectOptions extends ClusterAccess {
  /** Owner of the fields we write. */
  readonly fieldManager: string;
  /** Default: the field manager. */
  readonly userAgent?: string;
  /** Requests under way at a time, watches apart. Default 32. */
  readonly connections?: number;
  /** Milliseconds until an unanswered request fails. Default 65,000: the API server's own limit is 60,000. */
  readonly timeout?: number;
  readonly world?: World;
  /** For tests: interferes with requests and watch events. */
  readonly intercept?: Intercept;
  readonly interceptEvent?: InterceptEvent;
  /** For metrics: called when a request, not a watch, has ended. */
  readonly onRequest?: (outcome: RequestOutcome) => void;
}

const contentTypes = {
  json: "application/json",
  jsonPatch: "application/json-patch+json",
  mergePatch: "application/merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

interface WriteCall {
  readonly verb: Verb;
  readonly method: string;
  readonly path: string;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly body: unknown;
  readonly contentType: string;
  readonly query: Query;
  /** Default `Strict`. */
  readonly fieldValidation?: WriteOptions["fieldValidation"];
}

function aboutKind(kind: AnyKind, namespace: string | undefined, name?: string) {
  return {
    group: kind.group,
    kind: kind.kind,
    ...(namespace === undefined || !kind.namespaced ? {} : { namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

/** A client of `transport`, with `headers` on every request. */
function clientOver(transport: Transport, options: ConnectOptions, headers: Headers): Client {
  const { fieldManager } = options;

  const read = async <T extends KubeObject>(
    kind: AnyKind,
    decode: Decoder<T>,
    name: string,
    namespace: string | undefined,
    accept: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<T | undefined> => {
    const request: Request = {
      verb: "get",
      method: "GET",
      path: objectPath(kind, name, namespace),
      write: false,
      ...aboutKind(kind, namespace, name),
      ...(accept === undefined ? {} : { accept }),
    };
    try {
      return decode(await transport.send(request, headers, signal));
    } catch (error) {
      if (isApiError(error, "NotFound")) return undefined;
      throw error;
    }
  };

  const write = async <T extends KubeObject>(kind: Kind<T>, call: WriteCall, given: WriteOptions = {}): Promise<T> => {
    const query: Query = {
      fieldManager: given.fieldManager ?? fieldManager,
      fieldValidation: given.fieldValidation ?? call.fieldValidation ?? "Strict",
      dryRun: given.dryRun === true ? "All" : undefined,
      ...call.query,
    };
    const request: Request = {
      verb: call.verb,
      method: call.method,
      path: withQuery(call.path, query),
      write: given.dryRun !== true,
      ...aboutKind(kind, call.namespace, call.name),
      body: JSON.stringify(call.body),
      contentType: call.contentType,
    };
    return decoder<T>(kind, { managedFields: true })(await transport.send(request, headers, given.signal));
  };

  /** A write at the path of the object itself. */
  const writeAt = <T extends KubeObject>(
    kind: Kind<T>,
    at: { readonly name: string; readonly namespace: string | undefined },
    how: Omit<WriteCall, "path" | "name" | "namespace" | "query"> & { readonly query?: Query },
    given: WriteOptions = {},
  ): Promise<T> => {
    const path = objectPath(kind, at.name, at.namespace, given.subresource);
    return write(kind, { query: {}, ...how, ...at, path }, given);
  };

  return {
    fieldManager,
    counters: transport.counters,
    get: (kind, name, namespace, given = {}) =>
      read(kind, decoder(kind, { managedFields: true }), name, namespace, undefined, given.signal),
    getMetadata: (kind, name, namespace, given = {}) =>
      read(
        kind,
        decoder(kind, { managedFields: true }),
        name,
        namespace,
        metadataAccept("PartialObjectMetadata"),
        given.signal,
      ),
    list: (kind, given: ListOptions = {}) =>
      readList(transport, headers, kind, decoder(kind, { managedFields: given.managedFields ?? false }), given),
    pages: (kind, given: ListOptions = {}) =>
      eachPage(transport, headers, kind, decoder(kind, { managedFields: given.managedFields ?? false }), {
        pageSize: defaultPageSize,
        ...given,
      }),
    listMetadata: (kind, given: ListOptions = {}) =>
      readList(
        transport,
        headers,
        kind,
        decoder(kind, { managedFields: given.managedFields ?? false }),
        given,
        metadataAccept("PartialObjectMetadataList"),
      ),
    async collect(kind, take, given = {}) {
      const decode = decoder<UnknownObject>(kind, { managedFields: given.managedFields ?? false });
      const accept = given.metadataOnly === true ? metadataAccept("PartialObjectMetadataList") : undefined;
      return (await readList(transport, headers, kind, (item) => take(decode(item)), given, accept)).items;
    },
    watch: (kind, given = {}) =>
      watchFrom(transport, headers, kind, decoder(kind, { managedFields: false }), given, "full"),
    watchMetadata: (kind, given = {}) =>
      watchFrom(transport, headers, kind, decoder(kind, { managedFields: false }), given, "metadata"),
    async create(kind, object, given = {}) {
      const { name, namespace } = object.metadata;
      const within = namespaceFor(kind, namespace, name);
      const path =
        given.subresource === undefined
          ? collectionPath(kind, within)
          : objectPath(kind, name, within, given.subresource);
      const call = { verb: "create", method: "POST", body: object, contentType: contentTypes.json, query: {} } as const;
      return write(kind, { ...call, path, namespace, name }, given);
    },
    async replace(kind, object, given = {}) {
      const { name, namespace } = object.metadata;
      const how = { verb: "update", method: "PUT", body: object, contentType: contentTypes.json } as const;
      return writeAt(kind, { name, namespace }, how, given);
    },
    async apply(kind, object, given: ApplyOptions = {}) {
      const { name, namespace } = object.metadata;
      const query = { force: given.force ?? true };
      // The server refuses unknown fields of an apply in any case. Anything but `Ignore` makes it parse the body a second
      // time, as YAML, for duplicate keys, which JSON made by us cannot have.
      const how = { verb: "apply", method: "PATCH", body: object, contentType: contentTypes.apply, query } as const;
      const unasked = { fieldValidation: "Ignore" } as const;
      return writeAt(kind, { name, namespace }, { ...how, ...unasked }, given);
    },
    async jsonPatch(kind, name, namespace, patch, given = {}) {
      const how = { verb: "patch", method: "PATCH", body: patch, contentType: contentTypes.jsonPatch } as const;
      return writeAt(kind, { name, namespace }, how, given);
    },
    async mergePatch(kind, name, namespace, patch, given = {}) {
      const how = { verb: "patch", method: "PATCH", body: patch, contentType: contentTypes.mergePatch } as const;
      return writeAt(kind, { name, namespace }, how, given);
    },
    async delete(kind, name, namespace, given = {}) {
      const request: Request = {
        verb: "delete",
        method: "DELETE",
        path: objectPath(kind, name, namespace),
        write: given.dryRun !== true,
        ...aboutKind(kind, namespace, name),
        body: JSON.stringify(deleteBody(given)),
        contentType: contentTypes.json,
      };
      try {
        await transport.send(request, headers, given.signal);
        return true;
      } catch (error) {
        if (isApiError(error, "NotFound")) return false;
        throw error;
      }
    },
    raw: (method, path, body, given = {}) =>
      transport.send(
        {
          verb: "raw",
          method,
          path,
          write: method !== "GET" && method !== "HEAD",
          ...(body === undefined ? {} : { body: JSON.stringify(body), contentType: contentTypes.json }),
        },
        headers,
        given.signal,
      ),
    as: (identity) => clientAs(identity, transport, options),
    close: () => transport.close(),
  };
}

function deleteBody(given: DeleteOptions): object {
  return {
    apiVersion: "v1",
    kind: "DeleteOptions",
    propagationPolicy: given.propagation ?? "Background",
    ...(given.uid === undefined && given.resourceVersion === undefined
      ? {}
      : { preconditions: { uid: given.uid, resourceVersion: given.resourceVersion } }),
    ...(given.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: given.gracePeriodSeconds }),
    ...(given.dryRun === true ? { dryRun: ["All"] } : {}),
  };
}

function clientAs(identity: Identity, transport: Transport, options: ConnectOptions): Client {
  if ("token" in identity) {
    // A client certificate would win over the token.
    const { clientCert: _, clientKey: __, credentials: ___, ...bare } = options;
    return connect({ ...bare, token: identity.token });
  }
  const groups = identity.groups === undefined ? {} : { "impersonate-group": [...identity.groups] };
  return clientOver(transport, options, { "impersonate-user": identity.user, ...groups });
}

/** A client of one API server. Opens connections when they are first needed; `close` it at the end. */
export function connect(options: ConnectOptions): Client {
  const { intercept, interceptEvent, onRequest } = options;
  const transport = openTransport({
    access: options,
    connections: options.connections ?? 32,
    timeout: options.timeout ?? 65_000,
    userAgent: options.userAgent ?? options.fieldManager,
    world: options.world ?? systemWorld,
    ...(intercept === undefined ? {} : { intercept }),
    ...(interceptEvent === undefined ? {} : { interceptEvent }),
    ...(onRequest === undefined ? {} : { onRequest }),
  });
  return clientOver(transport, options, {});
}
