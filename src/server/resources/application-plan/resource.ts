/**
 * ApplicationPlan: a preview. Created or applied with an application document, it comes back with what applying the
 * document would do; nothing is stored, neither the plan nor the application, so there is never one to read.
 *
 * It is not called `plans`: backups have objects of that name, and `kubectl get plans` must go on meaning them.
 */
import { isRecord, valueAt } from "../../../kube/json.ts";
import type { AnyKind, KubeObject } from "../../../kube/object.ts";
import { apiVersionOf } from "../../../kube/object.ts";
import { parseYaml, placedObject } from "../../bodies.ts";
import { checkFields } from "../../field-validation.ts";
import { coreApi } from "../../group.ts";
import type { WriteRequestOptions } from "../../request-options.ts";
import { apiVersion, type Resource, type ResourceNames, type ResourceRequest, subjectOf } from "../../resource.ts";
import { invalid, notFound } from "../../status.ts";
import { nameColumn } from "../../table.ts";
import type { ViewObject } from "../../view/view.ts";
import { type Planning, planApplication } from "./plan.ts";

const names: ResourceNames = {
  ...coreApi,
  kind: "ApplicationPlan",
  plural: "applicationplans",
  singular: "applicationplan",
  namespaced: true,
};

/** The application of the document, in the namespace of the request. */
function documentOf({ apps }: Planning, plan: KubeObject, namespace: string | undefined) {
  const document = valueAt(plan, "spec", "application");
  const wrong = (field: string, message: string) =>
    invalid(subjectOf(names, plan.metadata.name), [{ field: `spec.application${field}`, message }]);
  if (!isRecord(document)) throw wrong("", "must be an application");
  const app = apps
    .list()
    .find(({ kind, group }) => kind === document["kind"] && document["apiVersion"] === `${group}/v1alpha1`);
  if (app === undefined) throw wrong(".kind", "there is no application of this kind and apiVersion");
  const kind: AnyKind = { group: app.group, version: "v1alpha1", kind: app.kind, plural: app.plural, namespaced: true };
  const metadata = document["metadata"];
  const name = valueAt(metadata, "name");
  if (!isRecord(metadata) || typeof name !== "string" || name === "") throw wrong(".metadata.name", "is required");
  const own = metadata["namespace"] ?? namespace;
  if (own !== namespace || namespace === undefined)
    throw wrong(".metadata.namespace", "must be the namespace of the request");
  // What a client read and does not mean to apply.
  const { managedFields: _, ...given } = metadata;
  const { status: __, ...content } = document;
  const object = {
    ...content,
    apiVersion: apiVersionOf(kind),
    kind: app.kind,
    metadata: { ...given, name, namespace },
  };
  return { app, kind, object };
}

async function create(
  planning: Planning,
  { caller, namespace, signal, warn }: ResourceRequest,
  plan: KubeObject,
  options: WriteRequestOptions,
): Promise<ViewObject> {
  const document = documentOf(planning, plan, namespace);
  const fieldManager = options.fieldManager === "" ? "cozystack" : options.fieldManager;
  const status = await planApplication(planning, { ...document, caller, fieldManager, signal });
  for (const warning of status.warnings) warn(warning);
  const name = plan.metadata.name === "" ? document.object.metadata.name : plan.metadata.name;
  return {
    kind: names.kind,
    apiVersion: apiVersion(names),
    metadata: { ...plan.metadata, name },
    spec: { application: document.object },
    status,
  };
}

export function applicationPlans(planning: Planning): Resource {
  const open = (description: string) => ({ type: "object", description, open: true }) as const;
  const list = (description: string, items: ReturnType<typeof open>) =>
    ({ type: "array", description, items }) as const;
  const resource: Resource = {
    names,
    verbs: ["create", "patch"],
    columns: [nameColumn],
    schema: {
      type: "object",
      description: "What applying an application would do. Nothing is stored.",
      properties: {
        spec: {
          type: "object",
          description: "What is to be planned.",
          required: ["application"],
          properties: { application: open("The application as it would be applied.") },
        },
        status: {
          type: "object",
          description: "What would follow.",
          properties: {
            object: open("The application."),
            action: { type: "string", description: "create or update." },
            warnings: { type: "array", description: "What has no effect.", items: { type: "string" } },
            plan: open("The changes, each with its impact. Values of Secrets are masked."),
            waiting: open("What must exist before there can be a plan."),
            refused: list("What cannot be done, with the remedy.", open("One problem.")),
            confirm: { type: "string", description: "The consent that is missing: data would be lost." },
            inherited: list("Objects of an earlier application of this name.", open("One object.")),
          },
        },
      },
    },
    operations: {
      create: (request, object, options) => create(planning, request, object, options),
      async patch(request, type, body, options) {
        if (type !== "application/apply-patch+yaml") throw notFound(subjectOf(names, request.name));
        const document = parseYaml(body);
        checkFields(document, resource, options.fieldValidation, request.warn);
        const object = placedObject(document, resource, request.namespace, request.name);
        return { object: await create(planning, request, object, options), created: true };
      },
      get: async ({ name }) => {
        throw notFound(subjectOf(names, name));
      },
    },
  };
  return resource;
}
