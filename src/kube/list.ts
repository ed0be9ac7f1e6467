/**
 * Whole lists, read page by page.
 */
import type { ListOptions, ObjectList } from "./client.ts";
import { type Decoder, decodePage } from "./decode.ts";
import { isApiError } from "./errors.ts";
import type { AnyKind, KubeObject } from "./object.ts";
import { collectionPath, withQuery } from "./paths.ts";
import type { Request } from "./request.ts";
import type { Headers, Transport } from "./transport.ts";

const defaultPageSize = 500;

/** The media type that asks for metadata only. */
export function metadataAccept(as: "PartialObjectMetadata" | "PartialObjectMetadataList"): string {
  return `application/json;as=${as};g=meta.k8s.io;v=v1`;
}

async function readPages<T extends KubeObject>(
  transport: Transport,
  headers: Headers,
  kind: AnyKind,
  decode: Decoder<T>,
  options: ListOptions,
  accept: string | undefined,
  limit: number | undefined,
): Promise<ObjectList<T>> {
  const items: T[] = [];
  let next = "";
  for (;;) {
    const query = {
      limit,
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
    for (const item of page.items) items.push(decode(item));
    if (page.continue === "") return { items, resourceVersion: page.resourceVersion };
    next = page.continue;
  }
}

/**
 * The whole list at one version. When that version expires between two pages the list begins anew, the second time
 * as a single page, which cannot expire.
 */
export async function readList<T extends KubeObject>(
  transport: Transport,
  headers: Headers,
  kind: AnyKind,
  decode: Decoder<T>,
  options: ListOptions,
  accept?: string,
): Promise<ObjectList<T>> {
  const pageSize = options.pageSize ?? defaultPageSize;
  for (const limit of [pageSize, pageSize]) {
    try {
      return await readPages(transport, headers, kind, decode, options, accept, limit);
    } catch (error) {
      if (!isApiError(error, "Expired")) throw error;
    }
  }
  return readPages(transport, headers, kind, decode, options, accept, undefined);
}
