/**
 * The definitions of Kubernetes that every resource refers to, as far as ours use them.
 */
import type { Schema } from "./schema.ts";

const prefix = "io.k8s.apimachinery.pkg.apis.meta.v1";

export const definitionNames = {
  objectMeta: `${prefix}.ObjectMeta`,
  listMeta: `${prefix}.ListMeta`,
  ownerReference: `${prefix}.OwnerReference`,
  managedFields: `${prefix}.ManagedFieldsEntry`,
  status: `${prefix}.Status`,
  deleteOptions: `${prefix}.DeleteOptions`,
  preconditions: `${prefix}.Preconditions`,
  patch: `${prefix}.Patch`,
  watchEvent: `${prefix}.WatchEvent`,
} as const;

const text = (description: string): Schema => ({ type: "string", description });
const time = (description: string): Schema => ({ type: "string", format: "date-time", description });
const int64 = (description: string): Schema => ({ type: "integer", format: "int64", description });
const texts = (description: string): Schema => ({
  type: "object",
  description,
  additionalProperties: { type: "string" },
});

export const objectMeta: Schema = {
  type: "object",
  description: "Name, place and bookkeeping of an object.",
  properties: {
    name: text("Name, unique within the namespace and the resource."),
    generateName: text("Prefix of a name that the server completes, for objects that are created without a name."),
    namespace: text("Namespace of the object."),
    labels: texts("Keys and values to select objects by."),
    annotations: texts("Keys and values that tools keep with the object."),
    uid: text("Identity of the object; another object of the same name has another one."),
    resourceVersion: text("Version of the object. A write that names an older one is refused."),
    generation: int64("Counts the changes of what is wanted."),
    creationTimestamp: time("When the object was created."),
    deletionTimestamp: time("When deletion was asked for; the object is going away."),
    deletionGracePeriodSeconds: int64("How long the object has to go away."),
    finalizers: { type: "array", description: "Who must act before the object is gone.", items: { type: "string" } },
    ownerReferences: {
      type: "array",
      description: "Objects with which this one goes away.",
      items: { ref: definitionNames.ownerReference },
    },
    managedFields: {
      type: "array",
      description: "Who set which fields.",
      items: { ref: definitionNames.managedFields },
    },
    selfLink: text("Not used any more."),
  },
};

export const metaDefinitions: Readonly<Record<string, Schema>> = {
  [definitionNames.objectMeta]: objectMeta,
  [definitionNames.listMeta]: {
    type: "object",
    description: "Version and continuation of a list.",
    properties: {
      resourceVersion: text("Version of the list; a watch may continue from it."),
      continue: text("Where the next page begins; empty after the last."),
      remainingItemCount: int64("Objects on later pages, where that is known."),
      selfLink: text("Not used any more."),
    },
  },
  [definitionNames.ownerReference]: {
    type: "object",
    description: "An object with which the one that refers to it goes away.",
    required: ["apiVersion", "kind", "name", "uid"],
    properties: {
      apiVersion: text("Group and version of the owner."),
      kind: text("Kind of the owner."),
      name: text("Name of the owner."),
      uid: text("Identity of the owner."),
      controller: { type: "boolean", description: "Whether the owner manages the object." },
      blockOwnerDeletion: { type: "boolean", description: "Whether the owner waits for the object to be gone." },
    },
  },
  [definitionNames.managedFields]: {
    type: "object",
    description: "The fields that one manager set.",
    properties: {
      manager: text("Name of the manager."),
      operation: text("Apply or Update."),
      apiVersion: text("Version in which the fields are named."),
      time: time("When the manager last changed its fields."),
      fieldsType: text("Form of the fields; FieldsV1."),
      fieldsV1: { type: "object", description: "The fields as a tree.", open: true },
      subresource: text("Subresource through which the fields were set."),
    },
  },
  [definitionNames.preconditions]: {
    type: "object",
    description: "What must hold of the object for the operation to be carried out.",
    properties: { uid: text("Identity of the object."), resourceVersion: text("Version of the object.") },
  },
  [definitionNames.deleteOptions]: {
    type: "object",
    description: "How an object is deleted.",
    properties: {
      apiVersion: text("Version of these options."),
      kind: text("DeleteOptions."),
      dryRun: { type: "array", description: "All: only try.", items: { type: "string" } },
      gracePeriodSeconds: int64("How long the object may take."),
      orphanDependents: { type: "boolean", description: "Not used any more; see propagationPolicy." },
      preconditions: { ref: definitionNames.preconditions },
      propagationPolicy: text("Foreground, Background or Orphan."),
    },
  },
  [definitionNames.status]: {
    type: "object",
    description: "Result of an operation that gives no object.",
    properties: {
      apiVersion: text("Version of the status."),
      kind: text("Status."),
      metadata: { ref: definitionNames.listMeta },
      status: text("Success or Failure."),
      message: text("For people."),
      reason: text("For programs: why the operation failed."),
      details: { type: "object", description: "What the status is about.", open: true },
      code: { type: "integer", format: "int32", description: "HTTP status." },
    },
  },
  [definitionNames.patch]: {
    type: "object",
    description: "A change, in the form that its media type says.",
    open: true,
  },
  [definitionNames.watchEvent]: {
    type: "object",
    description: "One event of a watch.",
    required: ["type", "object"],
    properties: {
      type: text("ADDED, MODIFIED, DELETED, BOOKMARK or ERROR."),
      object: { type: "object", description: "The object, or a status for ERROR.", open: true },
    },
  },
};
