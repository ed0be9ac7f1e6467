/**
 * Bodies of writes: objects of the resource's own kind, and what a delete asks for.
 */
import { parse } from "yaml";
import { isRecord, valueAt } from "../kube/json.ts";
import type { KubeObject, ObjectMeta } from "../kube/object.ts";
import { checkFields } from "./field-validation.ts";
import { type Incoming, mediaType, parseObject } from "./incoming.ts";
import { dryRunOf, writeOptions } from "./request-options.ts";
import { apiVersion, type DeleteRequest, type Resource } from "./resource.ts";
import { badRequest, StatusError } from "./status.ts";

/** A parsed body, JSON or YAML by its media type. */
async function documentOf(incoming: Incoming): Promise<Readonly<Record<string, unknown>>> {
  const type = mediaType(incoming);
  if (type === "application/json") return parseObject(await incoming.body());
  if (type === "application/yaml") return parseYaml(await incoming.body());
  throw new StatusError(
    "UnsupportedMediaType",
    `a body of type ${JSON.stringify(type)}; served are application/json, application/yaml`,
  );
}

/**
 * Characters of YAML that are parsed. Its parser takes a thousand times as long as JSON's, and everybody waits meanwhile. Clients of
 * Kubernetes send JSON, whatever they read.
 */
const longestYaml = 64 * 1024;

/** Errors do not quote the text: it may hold a Secret. */
export function parseYaml(body: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    value = yamlOf(body);
  }
  if (!isRecord(value)) throw badRequest("the body is not an object");
  return value;
}

function yamlOf(body: string): unknown {
  if (body.length > longestYaml) {
    throw new StatusError(
      "RequestEntityTooLarge",
      `limit is ${longestYaml} characters of YAML; send JSON, which may be longer`,
    );
  }
  try {
    // As of JSON, the last of two equal keys counts: looking for them takes the square of their number.
    return parse(body, { uniqueKeys: false });
  } catch (error) {
    throw new StatusError("BadRequest", "the body is not valid YAML", { cause: error });
  }
}

/**
 * The object of a create or update, at the place that the path names.
 * @param name the path's; undefined for a create
 */
export async function objectOf(
  incoming: Incoming,
  resource: Resource,
  namespace: string | undefined,
  name: string | undefined,
  warn: (message: string) => void,
): Promise<KubeObject> {
  const document = await documentOf(incoming);
  const object = placedObject(document, resource, namespace, name);
  checkFields(document, resource, writeOptions(incoming).fieldValidation, warn);
  return object;
}

/** @throws StatusError `BadRequest` for another kind, or a place that contradicts the path's */
export function placedObject(
  document: Readonly<Record<string, unknown>>,
  { names }: Resource,
  namespace: string | undefined,
  name: string | undefined,
): KubeObject {
  const { kind = names.kind, apiVersion: version = apiVersion(names), metadata } = document;
  if (kind !== names.kind || version !== apiVersion(names)) {
    throw badRequest(`the object is ${String(version)} ${String(kind)}, expected ${apiVersion(names)} ${names.kind}`);
  }
  if (metadata !== undefined && !isRecord(metadata)) throw badRequest("metadata: must be an object");
  const meta = metadataOf(metadata ?? {});
  if (namespace !== undefined && (meta.namespace ?? namespace) !== namespace) {
    throw badRequest("the namespace of the object does not match the namespace of the request");
  }
  if (name !== undefined && meta.name !== "" && meta.name !== name) {
    throw badRequest("the name of the object does not match the name of the request");
  }
  const place = { name: name ?? meta.name, ...(namespace === undefined ? {} : { namespace }) };
  return { ...document, apiVersion: apiVersion(names), kind: names.kind, metadata: { ...meta, ...place } };
}

function metadataOf(metadata: Readonly<Record<string, unknown>>): ObjectMeta {
  for (const field of ["name", "generateName", "namespace", "uid", "resourceVersion"]) {
    const value = metadata[field];
    if (value !== undefined && value !== null && typeof value !== "string")
      throw badRequest(`metadata.${field}: must be text`);
  }
  for (const field of ["labels", "annotations"]) {
    const value = metadata[field] ?? {};
    if (!isRecord(value) || !Object.values(value).every((one) => typeof one === "string")) {
      throw badRequest(`metadata.${field}: must be a map of texts`);
    }
  }
  const given = Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== null));
  return { ...given, name: typeof given["name"] === "string" ? given["name"] : "" };
}

const propagations = ["Foreground", "Background", "Orphan"] as const;

function textAt(body: unknown, ...path: readonly string[]): string | undefined {
  const value = valueAt(body, ...path);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What a DELETE asks for, in its body or its query. */
export async function deleteRequest(incoming: Incoming): Promise<DeleteRequest> {
  const text = await incoming.body();
  const body: unknown =
    text === "" ? {} : mediaType(incoming) === "application/yaml" ? parseYaml(text) : parseObject(text);
  const dryRun = valueAt(body, "dryRun");
  const listed = Array.isArray(dryRun) ? dryRun.map(String) : incoming.query.getAll("dryRun");
  const wanted = textAt(body, "propagationPolicy") ?? incoming.query.get("propagationPolicy") ?? "";
  const propagation = propagations.find((one) => one === wanted);
  if (wanted !== "" && propagation === undefined) {
    throw badRequest(`propagationPolicy: ${JSON.stringify(wanted)} is none of ${propagations.join(", ")}`);
  }
  const grace = valueAt(body, "gracePeriodSeconds") ?? incoming.query.get("gracePeriodSeconds") ?? undefined;
  const uid = textAt(body, "preconditions", "uid");
  const resourceVersion = textAt(body, "preconditions", "resourceVersion");
  return {
    dryRun: dryRunOf(listed),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(propagation === undefined ? {} : { propagation }),
    ...(grace === undefined || Number.isNaN(Number(grace)) ? {} : { gracePeriodSeconds: Number(grace) }),
  };
}
