/**
 * From JSON of the API server to objects: kind and apiVersion filled in (items of lists lack them), managed fields
 * dropped where nobody reads them (they are a third of a small object).
 */
import { ApiError } from "./errors.ts";
import { isRecord } from "./json.ts";
import { type AnyKind, apiVersionOf, type KubeObject } from "./object.ts";

/** What the API server sent, before it is known to be an object. */
interface Incoming {
  apiVersion?: string;
  kind?: string;
  metadata?: { managedFields?: unknown };
}

/** `T` is what the API promises for the kind. Nothing but the presence of metadata is checked. */
export type Decoder<T extends KubeObject> = (incoming: unknown) => T;

export function decoder<T extends KubeObject>(kind: AnyKind, options: { readonly managedFields: boolean }): Decoder<T>;
// The API's schema is the proof that the JSON is a T; the overload states it, here and only here.
export function decoder(kind: AnyKind, options: { readonly managedFields: boolean }): Decoder<KubeObject> {
  const apiVersion = apiVersionOf(kind);
  return (incoming) => {
    if (!isIncoming(incoming)) throw new ApiError("Malformed", `${kind.kind}: the API server sent no object`);
    if (!options.managedFields) delete incoming.metadata.managedFields;
    // Metadata-only answers call themselves PartialObjectMetadata: what they describe is the kind asked for.
    if (incoming.kind === kind.kind && incoming.apiVersion === apiVersion) return asObject(incoming);
    return asObject({ ...incoming, apiVersion, kind: kind.kind });
  };
}

function isIncoming(value: unknown): value is Incoming & { metadata: { managedFields?: unknown } } {
  return isRecord(value) && isRecord(value["metadata"]);
}

function asObject(incoming: Incoming): KubeObject;
function asObject(incoming: object): object {
  return incoming;
}

/** One page of a list. */
export interface Page {
  readonly items: readonly unknown[];
  readonly resourceVersion: string;
  readonly continue: string;
}

/** @throws ApiError `Malformed` when the answer is no list. */
export function decodePage(kind: AnyKind, answer: unknown): Page {
  const metadata = isRecord(answer) && isRecord(answer["metadata"]) ? answer["metadata"] : {};
  const items = isRecord(answer) ? (answer["items"] ?? []) : undefined;
  const { resourceVersion, continue: next } = metadata;
  if (!Array.isArray(items) || typeof resourceVersion !== "string") {
    throw new ApiError("Malformed", `${kind.kind}: the API server sent no list`);
  }
  return { items, resourceVersion, continue: typeof next === "string" ? next : "" };
}
