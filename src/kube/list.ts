/**
 * Whole lists, read page by page.
 */
import type { ListOptions } from "./client.ts";
import { decodePage } from "./decode.ts";
import { isApiError } from "./errors.ts";
import type { AnyKind } from "./object.ts";
import { collectionPath, withQuery } from "./paths.ts";
import type { Request } from "./request.ts";
import type { Headers, Transport } from "./transport.ts";

/** Objects per request where nobody says otherwise. */
export const defaultPageSize = 500;

/** The media type that asks for metadata only. */
export function metadataAccept(as: "PartialObjectMetadata" | "PartialObjectMetadataList"): string {
  return `application/json;as=${as};g=meta.k8s.io;v=v1`;
}

/** What was made of a list, and the version that it was read at. */
interface Taken<R> {
  readonly items: readonly R[];
  readonly resourceVersion: string;
}

/**
 * A list, page by page, at the version of the first. Rejects with `Expired` where that version is gone before the end. A page is
 * read when it is asked for.
 */
export async function* eachPage<R>(
  transport: Transport,
  headers: Headers,
  kind: AnyKind,
  take: (incoming: unknown) => R | undefined,
  options: ListOptions,
  accept?: string,
): AsyncGenerator<Taken<R>, void, undefined> {
  for (let next = ""; ; ) {
    const query = {
      limit: options.pageSize,
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
      // Later pages carry their version in the token, and the server refuses both.
      ...(next === "" ? { resourceVersion: options.resourceVersion } : { continue: next }),
    };
    const request: Request = {
      verb: "list",
      method: "GET",
      path: withQuery(collectionPath(kind, options.namespace), query),
      write: false,
      group: kind.group,
      kind: kind.kind,
      ...(options.namespace === undefined ? {} : { namespace: options.namespace }),
      ...(accept === undefined ? {} : { accept }),
    };
    const page = decodePage(kind, await transport.send(request, headers, options.signal));
    const items: R[] = [];
    for (const item of page.items) {
      const taken = take(item);
      if (taken !== undefined) items.push(taken);
    }
    yield { items, resourceVersion: page.resourceVersion };
    if (page.continue === "") return;
    next = page.continue;
  }
}

async function readPages<R>(pages: AsyncIterable<Taken<R>>): Promise<Taken<R>> {
  const items: R[] = [];
  let resourceVersion = "";
  for await (const page of pages) {
    for (const item of page.items) items.push(item);
    resourceVersion = page.resourceVersion;
  }
  return { items, resourceVersion };
}

/**
 * The whole list at one version, as `take` makes it of each item; what it makes undefined of is left out. When that version
 * expires between two pages the list begins anew, the second time as a single page, which cannot expire.
 */
export async function readList<R>(
  transport: Transport,
  headers: Headers,
  kind: AnyKind,
  take: (incoming: unknown) => R | undefined,
  options: ListOptions,
  accept?: string,
): Promise<Taken<R>> {
  const { pageSize = defaultPageSize, ...whole } = options;
  const paged = { ...whole, pageSize };
  for (const each of [paged, paged]) {
    try {
      return await readPages(eachPage(transport, headers, kind, take, each, accept));
    } catch (error) {
      if (!isApiError(error, "Expired")) throw error;
    }
  }
  return readPages(eachPage(transport, headers, kind, take, whole, accept));
}
