/**
 * The operations of the resources, from which both versions of OpenAPI are written.
 */
import type { ApiGroup } from "../discovery.ts";
import { apiVersion, type Resource } from "../resource.ts";
import { definitionNames, metaDefinitions } from "./meta.ts";
import type { Schema } from "./schema.ts";

export interface Parameter {
  readonly name: string;
  readonly in: "query" | "path";
  readonly type: "string" | "boolean" | "integer";
  readonly description: string;
}

export interface Operation {
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  readonly id: string;
  readonly description: string;
  /** Kubernetes' name of what it does, as tools look for it. */
  readonly action: "get" | "list" | "post" | "put" | "patch" | "delete";
  readonly parameters: readonly Parameter[];
  /** Name of the body's definition, and its media types. */
  readonly body?: { readonly definition: string; readonly types: readonly string[]; readonly required: boolean };
  /** Status, and the name of the answer's definition. */
  readonly answers: readonly (readonly [status: number, definition: string, description: string])[];
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
}

export interface PathItem {
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly operations: readonly Operation[];
}

export interface Definitions {
  readonly [name: string]: Schema & { readonly kinds?: readonly Operation["kind"][] };
}

/** The name of a kind's definition: no slashes, so that every reference to it resolves (feature 165). */
export function definitionOf({ names }: Resource): string {
  const group = names.group.split(".").slice(0, -2).join(".");
  return ["io.cozystack", ...(group === "" ? [] : [group]), names.version, names.kind].join(".");
}

const list = (resource: Resource): string => `${definitionOf(resource)}List`;

/** Every definition that the operations refer to, and those that these refer to. */
export function definitions(api: ApiGroup): Definitions {
  const own: Record<string, Schema & { kinds: readonly Operation["kind"][] }> = {};
  const head: Readonly<Record<string, Schema>> = {
    apiVersion: { type: "string", description: "Group and version of the object's form." },
    kind: { type: "string", description: "Kind of the object." },
  };
  for (const resource of api.resources) {
    const { names, schema } = resource;
    const kind = { group: names.group, version: names.version, kind: names.kind };
    const metadata: Schema = { ref: definitionNames.objectMeta };
    own[definitionOf(resource)] = {
      ...schema,
      type: "object",
      properties: { ...head, metadata, ...schema.properties },
      kinds: [kind],
    };
    if (resource.operations.list === undefined) continue;
    own[list(resource)] = {
      type: "object",
      description: `A list of objects of kind ${names.kind}.`,
      required: ["items"],
      properties: {
        ...head,
        metadata: { ref: definitionNames.listMeta },
        items: { type: "array", description: "The objects.", items: { ref: definitionOf(resource) } },
      },
      kinds: [{ ...kind, kind: `${names.kind}List` }],
    };
  }
  return { ...metaDefinitions, ...own };
}

const query = (name: string, type: Parameter["type"], description: string): Parameter => ({
  name,
  in: "query",
  type,
  description,
});

const inPath = (name: string, description: string): Parameter => ({ name, in: "path", type: "string", description });

const listParameters: readonly Parameter[] = [
  query("allowWatchBookmarks", "boolean", "Whether a watch may hold events of type BOOKMARK."),
  query("continue", "string", "Where the page begins, as the page before says."),
  query("fieldSelector", "string", "Selects by metadata.name and metadata.namespace."),
  query("labelSelector", "string", "Selects by labels."),
  query("limit", "integer", "Most objects on a page."),
  query("resourceVersion", "string", "Oldest version of the answer, or where a watch continues."),
  query("resourceVersionMatch", "string", "How resourceVersion is meant: Exact or NotOlderThan."),
  query("sendInitialEvents", "boolean", "Whether a watch begins with all objects."),
  query("timeoutSeconds", "integer", "How long a watch lasts at most."),
  query("watch", "boolean", "Stream changes rather than list."),
];
const dryRun = query("dryRun", "string", "All: everything is checked and nothing stored.");
const writeParameters: readonly Parameter[] = [
  dryRun,
  query("fieldManager", "string", "Name under which the fields are owned."),
  query("fieldValidation", "string", "What happens to unknown fields: Ignore, Warn or Strict."),
];
const force = query("force", "boolean", "Take fields that others own; for server-side apply only.");
const deleteParameters: readonly Parameter[] = [
  dryRun,
  query("gracePeriodSeconds", "integer", "How long the object may take."),
  query("propagationPolicy", "string", "Foreground, Background or Orphan."),
];

const objectTypes = ["application/json", "application/yaml"] as const;
/**
 * Strategic merge patches are served but not told of: clients that see them make patches with directives for lists, and
 * there is nothing in our objects that a merge patch does not say as well.
 */
const patchTypes = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/apply-patch+yaml",
] as const;

function onCollection(resource: Resource): readonly Operation[] {
  const { names, operations } = resource;
  const definition = definitionOf(resource);
  const scope = names.namespaced ? "Namespaced" : "";
  const common = { kind: { group: names.group, version: names.version, kind: names.kind } };
  return [
    ...(operations.list === undefined
      ? []
      : [
          {
            ...common,
            method: "get" as const,
            action: "list" as const,
            id: `list${scope}${names.kind}`,
            description: `List or watch objects of kind ${names.kind}.`,
            parameters: listParameters,
            answers: [[200, list(resource), "OK"]] as const,
          },
        ]),
    ...(operations.create === undefined
      ? []
      : [
          {
            ...common,
            method: "post" as const,
            action: "post" as const,
            id: `create${scope}${names.kind}`,
            description: `Create an object of kind ${names.kind}.`,
            parameters: writeParameters,
            body: { definition, types: objectTypes, required: true },
            answers: [
              [201, definition, "Created"],
              [200, definition, "OK"],
            ] as const,
          },
        ]),
  ];
}

function onObject(resource: Resource): readonly Operation[] {
  const { names, operations } = resource;
  const definition = definitionOf(resource);
  const scope = names.namespaced ? "Namespaced" : "";
  const kind = { group: names.group, version: names.version, kind: names.kind };
  const written = [
    [200, definition, "OK"],
    [201, definition, "Created"],
  ] as const;
  const all: readonly (Operation | undefined)[] = [
    operations.get && {
      kind,
      method: "get",
      action: "get",
      id: `read${scope}${names.kind}`,
      description: `Read one object of kind ${names.kind}.`,
      parameters: [],
      answers: [[200, definition, "OK"]],
    },
    operations.update && {
      kind,
      method: "put",
      action: "put",
      id: `replace${scope}${names.kind}`,
      description: `Replace one object of kind ${names.kind}.`,
      parameters: writeParameters,
      body: { definition, types: objectTypes, required: true },
      answers: written,
    },
    operations.patch && {
      kind,
      method: "patch",
      action: "patch",
      id: `patch${scope}${names.kind}`,
      description: `Change one object of kind ${names.kind}.`,
      parameters: [...writeParameters, force],
      body: { definition: definitionNames.patch, types: patchTypes, required: true },
      answers: written,
    },
    operations.delete && {
      kind,
      method: "delete",
      action: "delete",
      id: `delete${scope}${names.kind}`,
      description: `Delete one object of kind ${names.kind}.`,
      parameters: deleteParameters,
      body: { definition: definitionNames.deleteOptions, types: objectTypes, required: false },
      answers: [[200, definitionNames.status, "OK"]],
    },
  ];
  return all.flatMap((one) => one ?? []);
}

/** Every path, in the order of the resources. */
export function pathsOf(api: ApiGroup): readonly PathItem[] {
  const root = `/apis/${apiVersion(api)}`;
  const namespace = inPath("namespace", "Namespace of the objects.");
  return api.resources
    .flatMap((resource): readonly PathItem[] => {
      const { names } = resource;
      const within = names.namespaced ? [namespace] : [];
      const collection = `${root}${names.namespaced ? "/namespaces/{namespace}" : ""}/${names.plural}`;
      const everywhere = onCollection(resource)
        .filter(({ action }) => names.namespaced && action === "list")
        .map((operation) => ({ ...operation, id: `list${names.kind}ForAllNamespaces` }));
      return [
        { path: collection, parameters: within, operations: onCollection(resource) },
        {
          path: `${collection}/{name}`,
          parameters: [inPath("name", "Name of the object."), ...within],
          operations: onObject(resource),
        },
        { path: `${root}/${names.plural}`, parameters: [], operations: everywhere },
      ];
    })
    .filter(({ operations }) => operations.length > 0);
}
