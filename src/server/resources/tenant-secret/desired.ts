/**
 * The Secret that a write of a TenantSecret asks for. What the view does not show is kept as it is.
 */
import { isDeepStrictEqual } from "node:util";
import type { Secret } from "../../../kube/core-kinds.ts";
import { isRecord } from "../../../kube/json.ts";
import type { KubeObject, ManagedFieldsEntry } from "../../../kube/object.ts";
import { subjectOf } from "../../resource.ts";
import { invalid } from "../../status.ts";
import { marker, names, shownManagedFields } from "./projection.ts";

type Strings = Readonly<Record<string, string>>;
type Problem = { readonly field: string; readonly message: string };

/** Labels and annotations that say what the platform knows of an object. Its own programs set them. */
const reserved = /^(?:internal\.cozystack\.io|platform\.cozystack\.io)\/|^apps\.cozystack\.io\/application\./;

/** The API server fills these with credentials of an account: who asks for one gets the rights of any in the namespace. */
const refusedTypes: ReadonlySet<string> = new Set([
  "kubernetes.io/service-account-token",
  "bootstrap.kubernetes.io/token",
]);

/** What a TenantSecret says, its types checked. */
export interface Content {
  readonly labels: Strings;
  readonly annotations: Strings;
  /** Base64, `stringData` included: what is put into the Secret is owned, and taken away again, under one name. */
  readonly data?: Strings;
  readonly type?: string;
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function strings(value: unknown, field: string, problems: Problem[], form?: RegExp): Strings | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isRecord(value)) {
    problems.push({ field, message: "must be a map" });
    return undefined;
  }
  const found: Record<string, string> = {};
  for (const [key, one] of Object.entries(value)) {
    if (typeof one !== "string") problems.push({ field: `${field}[${key}]`, message: "must be text" });
    else if (form?.test(one.replaceAll(/\s/g, "")) === false)
      problems.push({ field: `${field}[${key}]`, message: "must be base64" });
    else found[key] = one;
  }
  return found;
}

/**
 * What is wanted, with every reserved key as it is: one that is left out stays, one that differs is a problem. The marker
 * is taken out: it is ours to set.
 */
function unreserved(wanted: Strings, live: Strings, field: string, problems: Problem[]): Strings {
  const found: Record<string, string> = {};
  for (const [key, value] of Object.entries(live)) if (key !== marker && reserved.test(key)) found[key] = value;
  for (const [key, value] of Object.entries(wanted)) {
    if (!reserved.test(key)) found[key] = value;
    else if (value !== (key === marker ? "true" : live[key])) {
      problems.push({ field: `${field}[${key}]`, message: "may be set by the platform only" });
    }
  }
  return found;
}

/**
 * Reads the object of a write.
 * @param live the Secret as it is; undefined for a create
 * @throws StatusError `Invalid` naming every wrong field; values are not quoted
 */
export function contentOf(object: KubeObject, live: Secret | undefined): Content {
  const fields: Readonly<Record<string, unknown>> = { ...object };
  const problems: Problem[] = [];
  const { labels = {}, annotations = {} } = object.metadata;
  const data = strings(fields["data"], "data", problems, base64);
  const stringData = strings(fields["stringData"], "stringData", problems);
  const type = fields["type"];
  if (type !== undefined && type !== null && typeof type !== "string")
    problems.push({ field: "type", message: "must be text" });
  if (typeof type === "string" && refusedTypes.has(type) && live?.type !== type) {
    problems.push({ field: "type", message: `Secrets of type ${type} are made by the cluster only` });
  }
  const content: Content = {
    labels: unreserved(labels, live?.metadata.labels ?? {}, "metadata.labels", problems),
    annotations: unreserved(annotations, live?.metadata.annotations ?? {}, "metadata.annotations", problems),
    ...(data === undefined && stringData === undefined ? {} : { data: { ...data, ...encoded(stringData) } }),
    ...(typeof type === "string" && type !== "" ? { type } : {}),
  };
  if (problems.length > 0) throw invalid(subjectOf(names, object.metadata.name), problems);
  return content;
}

const encoded = (texts: Strings = {}): Strings =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text, "utf8").toString("base64")]));

const isEmpty = (map: Strings | undefined): boolean => Object.keys(map ?? {}).length === 0;

/**
 * The live Secret with the content in place of its own.
 * @param keepEmpty content without any value keeps the live values, as a full update does
 */
export function replaced(live: Secret, object: KubeObject, keepEmpty: boolean): Secret {
  const content = contentOf(object, live);
  const { data, type = live.type } = content;
  const values = keepEmpty && isEmpty(data) ? live.data : data;
  const { managedFields: _, labels: __, annotations: ___, ...kept } = live.metadata;
  const { data: ____, ...rest } = live;
  return {
    ...rest,
    metadata: {
      ...kept,
      labels: { ...content.labels, [marker]: "true" },
      annotations: content.annotations,
      ...managedFieldsOf(live, object),
    },
    ...(values === undefined ? {} : { data: values }),
    ...(type === undefined ? {} : { type }),
  };
}

/** Managed fields that the caller changed (as kubectl does when it moves to server-side apply), in the Secret's words. */
function managedFieldsOf(live: Secret, object: KubeObject): { managedFields?: readonly ManagedFieldsEntry[] } {
  const wanted = object.metadata.managedFields;
  if (wanted === undefined || isDeepStrictEqual(wanted, shownManagedFields(live.metadata.managedFields ?? [])))
    return {};
  return {
    managedFields: wanted.map((entry) => (entry.apiVersion === undefined ? entry : { ...entry, apiVersion: "v1" })),
  };
}
