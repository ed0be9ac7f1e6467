/**
 * Deleting what documents and names say.
 */
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import type { AnyKind, KubeObject } from "../kube/object.ts";
import { placed } from "../reconcile/body.ts";
import { planOf } from "../reconcile/change.ts";
import { type DeletionPlan, type PlanDeletionOptions, planDeletion } from "../reconcile/plan-deletion.ts";
import type { ObjectProblem } from "../reconcile/problem.ts";
import type { App } from "../sdk/app.ts";
import type { Document } from "./documents.ts";
import { kindFinder } from "./kinds.ts";
import type { DocumentPlan } from "./print-plan.ts";
import { ObjectRefusedError, refusedObject } from "./refused.ts";

/** Something to delete, as it is now. */
export interface Doomed {
  readonly kind: AnyKind;
  readonly name: string;
  readonly namespace: string | undefined;
  /** Undefined when there is nothing to delete. */
  readonly live: KubeObject | undefined;
  readonly app: App | undefined;
  readonly plan: DocumentPlan;
}

/** What deleting the object of a document would do. */
export async function deletionOf(
  document: Document,
  namespace: string,
  options: PlanDeletionOptions,
): Promise<DocumentPlan> {
  return (await doomedOf(document, namespace, options)).plan;
}

/** The object of a document as something to delete. */
export async function doomedOf(document: Document, namespace: string, options: PlanDeletionOptions): Promise<Doomed> {
  const finder = kindFinder(options.client, options.apps);
  const kind = await finder.kindOf(document.object, document.where);
  const { metadata } = placed(document.object, kind, namespace);
  return doomed(kind, finder.appOf(document.object), metadata.name, metadata.namespace, options);
}

/** An object by its name as something to delete. */
export async function doomed(
  kind: AnyKind,
  app: App | undefined,
  name: string,
  namespace: string | undefined,
  options: PlanDeletionOptions,
): Promise<Doomed> {
  const live = await options.client.get(kind, name, namespace);
  const object = { group: kind.group, kind: kind.kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const common = { object, fields: [], warnings: [] };
  const place = { kind, name, namespace, live, app };
  if (live === undefined) return { ...place, plan: { ...common, action: "none", warnings: ["does not exist"] } };
  const refused = await refusalOf(options.client, kind, live);
  const alone: DeletionPlan = { plan: planOf(object, [itself(object)]), kept: [], holders: [] };
  const planned = app === undefined ? alone : await planDeletion(app, live, options).catch(ifHidden);
  const { plan, kept, holders } = planned ?? alone;
  return {
    ...place,
    plan: {
      ...common,
      ...(planned === undefined
        ? { warnings: ["what goes with it, its data among it, only administrators may see"] }
        : {}),
      action: "delete",
      plan,
      ...(kept.length === 0 ? {} : { kept }),
      ...(holders.length === 0 ? {} : { holders }),
      ...(refused === undefined ? {} : { refused: [refused] }),
    },
  };
}

/** What the API server says to the deletion, without deleting. */
async function refusalOf(client: Client, kind: AnyKind, live: KubeObject): Promise<ObjectProblem | undefined> {
  const { name, namespace } = live.metadata;
  try {
    await client.delete(kind, name, namespace, { dryRun: true });
    return undefined;
  } catch (error) {
    // Gone since it was read.
    if (isApiError(error, "NotFound")) return undefined;
    const told = refusedObject({ ...live, kind: kind.kind }, error);
    if (!(told instanceof ObjectRefusedError)) throw error;
    const object = { group: kind.group, kind: kind.kind, name, ...(namespace === undefined ? {} : { namespace }) };
    return { object, code: told.code, message: told.said, remedy: told.remedy, transient: false };
  }
}

/** Undefined for those who may delete an application and not see what it owns. */
function ifHidden(error: unknown): undefined {
  if (!isApiError(error, "Forbidden")) throw error;
}

function itself(object: DocumentPlan["object"]) {
  return { object, action: "delete", impact: "deletes", fields: [], because: "as asked for" } as const;
}
