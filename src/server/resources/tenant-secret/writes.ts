/**
 * Writes of TenantSecrets, each as one write of the Secret with a resource version: admission, quotas, dry run, conflicts
 * and field ownership are the API server's. Only what carries the marker is ever changed.
 */
import type { Client } from "../../../kube/client.ts";
import { Secret } from "../../../kube/core-kinds.ts";
import { isApiError } from "../../../kube/errors.ts";
import { isRecord } from "../../../kube/json.ts";
import type { KubeObject } from "../../../kube/object.ts";
import { type Answer, json } from "../../answer.ts";
import { parseYaml, placedObject } from "../../bodies.ts";
import { checkFields } from "../../field-validation.ts";
import { parseJson } from "../../incoming.ts";
import { jsonPatch } from "../../patch/json-patch.ts";
import { mergePatch, strategicMergePatch } from "../../patch/merge-patch.ts";
import type { WriteRequestOptions } from "../../request-options.ts";
import {
  type DeleteRequest,
  type NamedRequest,
  type PatchType,
  type Resource,
  type ResourceRequest,
  subjectOf,
  type Written,
} from "../../resource.ts";
import { alreadyExists, badRequest, conflict, deletedBody } from "../../status.ts";
import type { ViewObject } from "../../view/view.ts";
import { contentOf, replaced } from "./desired.ts";
import { isShown, marker, names, shown } from "./projection.ts";
import { shownSecret } from "./reads.ts";

/** Times a write without a version of its own begins anew because the Secret changed meanwhile. */
const attempts = 5;

const options = ({ signal }: ResourceRequest, given: WriteRequestOptions) => {
  const fieldManager = given.fieldManager === "" ? given.defaultManager : given.fieldManager;
  return { signal, dryRun: given.dryRun, ...(fieldManager === "" ? {} : { fieldManager }) };
};

/** Runs `write` again while it meets a conflict that is nobody's. */
async function unconditionally<T>(write: () => Promise<T>, conditional: boolean): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write();
    } catch (error) {
      if (conditional || attempt >= attempts || !isApiError(error, "Conflict")) throw error;
    }
  }
}

export async function createSecret(
  client: Client,
  request: ResourceRequest,
  object: KubeObject,
  given: WriteRequestOptions,
): Promise<ViewObject> {
  const { labels, ...content } = contentOf(object, undefined);
  const { name, generateName, namespace } = object.metadata;
  if (name === "" && generateName === undefined) throw badRequest("metadata: name or generateName is required");
  const { annotations, type = "Opaque", ...values } = content;
  const secret = Secret(name, {
    ...(namespace === undefined ? {} : { namespace }),
    labels: { ...labels, [marker]: "true" },
    annotations,
    type,
    ...values,
    ...(generateName === undefined ? {} : { metadata: { generateName } }),
  });
  return shown(await client.create(Secret, secret, options(request, given)));
}

export function updateSecret(
  client: Client,
  request: NamedRequest,
  object: KubeObject,
  given: WriteRequestOptions,
): Promise<Written> {
  const version = object.metadata.resourceVersion;
  return unconditionally(async () => {
    const live = await shownSecret(client, request);
    checkIdentity(live, object);
    return write(client, request, at(replaced(live, object, true), version), given);
  }, version !== undefined);
}

export function patchSecret(
  client: Client,
  request: NamedRequest,
  type: Exclude<PatchType, "application/apply-patch+yaml">,
  body: string,
  given: WriteRequestOptions,
  resource: Resource,
): Promise<Written> {
  const patch = parseJson(body);
  // A patch of the version is a condition.
  const conditional = body.includes('"resourceVersion"') || body.includes("/resourceVersion");
  return unconditionally(async () => {
    const live = await shownSecret(client, request);
    const before = shown(live);
    const after = patched(type, before, patch);
    if (!isRecord(after)) throw badRequest("the patched object is no object");
    checkFields(after, resource, given.fieldValidation, request.warn);
    const object = placedObject(after, resource, request.namespace, request.name);
    checkIdentity(live, object);
    return write(client, request, at(replaced(live, object, false), object.metadata.resourceVersion), given);
  }, conditional);
}

function patched(type: PatchType, target: unknown, patch: unknown): unknown {
  switch (type) {
    case "application/json-patch+json":
      return jsonPatch(target, patch);
    case "application/strategic-merge-patch+json":
      return strategicMergePatch(target, patch);
    default:
      return mergePatch(target, patch);
  }
}

/**
 * Server-side apply, passed on as one of the Secret. A Secret that does not exist is first created with nothing but the
 * marker and its type, so that one which somebody else makes at the same moment is never marked.
 */
export async function applySecret(
  client: Client,
  request: NamedRequest,
  body: string,
  given: WriteRequestOptions,
  resource: Resource,
): Promise<Written> {
  if (given.fieldManager === "") throw badRequest("fieldManager is required for apply patch");
  const document = parseYaml(body);
  const object = placedObject(document, resource, request.namespace, request.name);
  checkFields(document, resource, given.fieldValidation, request.warn);
  if (object.metadata.managedFields !== undefined) throw badRequest("metadata.managedFields must be nil");
  const version = object.metadata.resourceVersion;
  return unconditionally(async () => {
    const live = await client.get(Secret, request.name, request.namespace, { signal: request.signal });
    if (live === undefined) return applyNew(client, request, object, given);
    if (!isShown(live)) throw alreadyExists(subjectOf(names, request.name));
    checkIdentity(live, object);
    const config = at(applied(object, live), version ?? live.metadata.resourceVersion);
    const secret = await client.apply(Secret, config, { ...options(request, given), force: given.force });
    return { object: shown(secret), created: false };
  }, version !== undefined);
}

async function applyNew(
  client: Client,
  request: NamedRequest,
  object: KubeObject,
  given: WriteRequestOptions,
): Promise<Written> {
  const { name, namespace, signal } = request;
  if (object.metadata.resourceVersion !== undefined)
    throw conflict(subjectOf(names, name), "there is no object of this name");
  const config = applied(object, undefined);
  if (given.dryRun) {
    // Nothing is there that could be applied to.
    const whole = { ...config, type: config.type ?? "Opaque" };
    return { object: shown(await client.create(Secret, whole, options(request, given))), created: true };
  }
  const empty = Secret(name, {
    ...(namespace === undefined ? {} : { namespace }),
    labels: { [marker]: "true" },
    type: config.type ?? "Opaque",
  });
  const made = await client.create(Secret, empty, { signal });
  try {
    const secret = await client.apply(Secret, at(config, made.metadata.resourceVersion), {
      ...options(request, given),
      force: given.force,
    });
    return { object: shown(secret), created: true };
  } catch (error) {
    const { uid, resourceVersion } = made.metadata;
    await client.delete(Secret, name, namespace, {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    });
    throw error;
  }
}

/** What of the Secret the caller applies: the fields that it gave, and no others. */
function applied(object: KubeObject, live: Secret | undefined): Secret {
  const { labels, annotations, ...values } = appliedContent(object, live);
  const { name, namespace } = object.metadata;
  return {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      // Owned with the rest: kubectl hands the fields of its earlier writes over to apply, and what is not applied goes.
      labels: { ...labels, [marker]: "true" },
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    ...values,
  };
}

/** Reserved labels that the caller does not give stay: only given ones are judged. */
function appliedContent(object: KubeObject, live: Secret | undefined) {
  if (live === undefined) return contentOf(object, undefined);
  const { labels, annotations } = object.metadata;
  const only = (
    map: Readonly<Record<string, string>> | undefined,
    keys: Readonly<Record<string, string>> | undefined,
  ) => Object.fromEntries(Object.entries(map ?? {}).filter(([key]) => Object.hasOwn(keys ?? {}, key)));
  const metadata = {
    ...live.metadata,
    labels: only(live.metadata.labels, labels),
    annotations: only(live.metadata.annotations, annotations),
  };
  return contentOf(object, { ...live, metadata });
}

/** An object that names another identity is about an object that is gone. */
function checkIdentity(live: Secret, { metadata }: KubeObject): void {
  if (metadata.uid === undefined || metadata.uid === live.metadata.uid) return;
  throw conflict(subjectOf(names, metadata.name), `the UID in the object is not that of the stored one`);
}

const at = (secret: Secret, resourceVersion: string | undefined): Secret =>
  resourceVersion === undefined ? secret : { ...secret, metadata: { ...secret.metadata, resourceVersion } };

async function write(
  client: Client,
  request: NamedRequest,
  secret: Secret,
  given: WriteRequestOptions,
): Promise<Written> {
  return { object: shown(await client.replace(Secret, secret, options(request, given))), created: false };
}

export async function deleteSecret(client: Client, request: NamedRequest, wanted: DeleteRequest): Promise<Answer> {
  const { name, namespace, signal } = request;
  const subject = subjectOf(names, name);
  const uid = await unconditionally(async () => {
    const live = (await shownSecret(client, request)).metadata;
    if (wanted.uid !== undefined && wanted.uid !== live.uid)
      throw conflict(subject, "the precondition on the UID does not hold");
    // The version too: a Secret that loses its marker meanwhile is not ours to delete any more.
    const version = wanted.resourceVersion ?? live.resourceVersion;
    await client.delete(Secret, name, namespace, {
      signal,
      dryRun: wanted.dryRun,
      ...(live.uid === undefined ? {} : { uid: live.uid }),
      ...(version === undefined ? {} : { resourceVersion: version }),
      ...(wanted.propagation === undefined ? {} : { propagation: wanted.propagation }),
      ...(wanted.gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds: wanted.gracePeriodSeconds }),
    });
    return live.uid;
  }, wanted.resourceVersion !== undefined);
  return json(deletedBody(subject, uid));
}
