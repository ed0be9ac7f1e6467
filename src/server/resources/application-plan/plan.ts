/**
 * What would follow from an application document, by the code that the controller and the command line run.
 */
import { randomBytes } from "node:crypto";
import { impactRulesOf } from "../../../contracts/index.ts";
import type { Client } from "../../../kube/client.ts";
import { valueAt } from "../../../kube/json.ts";
import { type AnyKind, type KubeObject, refOf } from "../../../kube/object.ts";
import type { ContextSource } from "../../../reconcile/context.ts";
import { kindLookup, shareApplications } from "../../../reconcile/controller.ts";
import type { Prepared } from "../../../reconcile/prepare.ts";
import { preview } from "../../../reconcile/preview.ts";
import { unknownFields } from "../../../reconcile/unknown-fields.ts";
import { clientView } from "../../../reconcile/view.ts";
import type { App } from "../../../sdk/app.ts";
import type { AppSource } from "../../../sdk/app-source.ts";
import type { Caller } from "../../incoming.ts";
import { type Action, forbidden, mayDo } from "../../rights.ts";

export interface Planning {
  /** May read everything that applications are made from, and impersonate the caller. */
  readonly client: Client;
  readonly apps: AppSource;
  readonly contexts: ContextSource;
  /** Field manager of the controllers. */
  readonly controllerManager: string;
}

export interface PlanRequest {
  readonly caller: Caller;
  readonly app: App;
  readonly kind: AnyKind;
  readonly object: KubeObject;
  /** Whose the fields of the document would be. */
  readonly fieldManager: string;
  readonly signal: AbortSignal;
}

/**
 * The caller's rights on the application, judged before anything is told of it.
 * @throws StatusError `Forbidden`
 */
async function authorized({ client }: Planning, request: PlanRequest): Promise<KubeObject | undefined> {
  const { caller, kind, object, signal } = request;
  const { name, namespace } = object.metadata;
  const action = (verb: string): Action => ({
    kind,
    verb,
    ...(namespace === undefined ? {} : { namespace }),
    // As RBAC sees it: a create has no name yet.
    ...(verb === "create" ? {} : { name }),
  });
  const may = (verb: string): Promise<boolean> => mayDo(client, caller, action(verb), signal);
  const [create, update, get] = await Promise.all([may("create"), may("update"), may("get")]);
  if (!create && !update) throw forbidden(caller, action("create"));
  const live = await client.get(kind, name, namespace, { signal });
  if (live === undefined && !create) throw forbidden(caller, action("create"));
  if (live !== undefined && !(update && get)) throw forbidden(caller, action(update ? "get" : "update"));
  return live;
}

/** The status of an ApplicationPlan. */
export async function planApplication(planning: Planning, request: PlanRequest) {
  const { client, apps, contexts, controllerManager } = planning;
  const { caller, app, kind, object, fieldManager, signal } = request;
  const live = await authorized(planning, request);
  // As the caller: its rights and the admission policies about it decide, as they would for the write itself.
  const asCaller = client.as({ user: caller.user, groups: caller.groups });
  const tried = await asCaller.apply(kind, object, { dryRun: true, fieldManager, signal });
  const prepared = await preview(app, live === undefined ? untold(tried) : tried, {
    view: clientView(client),
    kindOf: kindLookup(apps.list()),
    rules: (ref) => impactRulesOf(ref.group, ref.kind),
    context: contexts,
    manager: controllerManager,
    randomBytes,
    onUnowned: shareApplications,
    signal,
  });
  const warnings = unknownFields(app.schema, valueAt(object, "spec")).map(
    (field) => `${field} is not known: it is kept and has no effect`,
  );
  return {
    object: { ...refOf(object) },
    action: live === undefined ? "create" : "update",
    warnings,
    ...told(prepared),
  };
}

/** The uid is of a try, not of an object: nothing can be its own. */
function untold(tried: KubeObject): KubeObject {
  const { uid: _, ...metadata } = tried.metadata;
  return { ...tried, metadata };
}

/** The plan as the controller would execute it, or why there is none. */
function told(prepared: Prepared) {
  switch (prepared.is) {
    case "waiting":
      return { waiting: { on: prepared.on, why: prepared.why } };
    case "refused":
      return { refused: prepared.problems };
    case "planned": {
      const { plan, refused, confirm, unconfirmed } = prepared.plan;
      return {
        plan,
        ...(refused.length === 0 ? {} : { refused }),
        ...(confirm === undefined ? {} : { confirm }),
        ...(unconfirmed.length === 0 ? {} : { inherited: unconfirmed }),
      };
    }
  }
}
