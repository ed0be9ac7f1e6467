/**
 * Plans documents: each is tried on the API server without being stored, and for an application the same code as the
 * controller's says what would follow.
 */
import { randomBytes } from "node:crypto";
import { Namespace } from "../contracts/core.ts";
import { Package } from "../contracts/cozystack-io.ts";
import { impactRulesOf } from "../contracts/index.ts";
import { KeycloakRealmGroup } from "../contracts/v1-edp-epam-com.ts";
import type { Client } from "../kube/client.ts";
import { CozystackError, isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { type AnyKind, apiVersionOf, groupOf, type KubeObject } from "../kube/object.ts";
import { readClusterValues } from "../platform/install.ts";
import { placed } from "../reconcile/body.ts";
import type { FieldChange } from "../reconcile/change.ts";
import { kindLookup, shareApplications } from "../reconcile/controller.ts";
import type { Prepared } from "../reconcile/prepare.ts";
import { preview } from "../reconcile/preview.ts";
import { unknownFields } from "../reconcile/unknown-fields.ts";
import { clientView, type View } from "../reconcile/view.ts";
import type { App } from "../sdk/app.ts";
import { ContextTable } from "../tenancy/context-table.ts";
import { controllerManager, type Target } from "./cluster.ts";
import type { Document } from "./documents.ts";
import { documentChanges } from "./field-changes.ts";
import { kindFinder } from "./kinds.ts";
import { refusedObject } from "./refused.ts";
import { type ServerPlan, serverPlan } from "./server-plan.ts";
import { unevaluated } from "./unevaluated-rules.ts";
import { version } from "./version.ts";
import { unknownFieldWarnings } from "./warnings.ts";

/** What applying a document would do. */
export interface PlannedDocument {
  readonly document: Document;
  readonly kind: AnyKind;
  /** What would be applied: the document in its namespace. */
  readonly object: KubeObject;
  readonly live: KubeObject | undefined;
  /** What happens to the object itself. */
  readonly action: "create" | "update" | "none";
  readonly fields: readonly FieldChange[];
  readonly warnings: readonly string[];
  readonly app?: App;
  /** What follows from it, for an application. */
  readonly prepared?: Prepared;
  /** The same as the platform's server tells it to somebody who may not plan. */
  readonly told?: ServerPlan;
}

/** `--strict`: a field that nobody reads. */
export class UnknownFieldError extends CozystackError {
  constructor(where: string, fields: readonly string[]) {
    super(
      "UnknownField",
      `${where}: unknown: ${fields.join("; ")}`,
      "Correct or remove the fields, or leave --strict out.",
    );
  }
}

export interface PlannerOptions {
  readonly target: Target;
  readonly apps: readonly App[];
  /** Namespace of documents that name none. */
  readonly namespace: string;
  /** Refuse unknown fields rather than warn. */
  readonly strict?: boolean;
}

export interface Planner {
  /** Documents must be planned in the order in which they are to be applied: later ones may need earlier ones. */
  plan(document: Document): Promise<PlannedDocument>;
  /** What the controller would do now about an application as it is stored. */
  preview(app: App, object: KubeObject): Promise<Prepared>;
}

export function planner({ target, apps, namespace, strict = false }: PlannerOptions): Planner {
  const { client } = target;
  const view = clientView(client);
  const finder = kindFinder(client, apps);
  const contexts = clientContexts(client, view);
  /** Namespaces that documents planned before will bring. */
  const coming = new Set<string>();

  async function stored(
    kind: AnyKind,
    object: KubeObject,
    document: Document,
    app: App | undefined,
  ): Promise<{ live?: KubeObject; next: KubeObject; note?: string }> {
    const place = object.metadata.namespace;
    const { name } = object.metadata;
    if (place !== undefined && coming.has(place) && !(await exists(place))) {
      return { next: object, ...(app === undefined ? {} : await triedElsewhere(app, kind, object, document)) };
    }
    const live = await client.get(kind, name, place);
    const next = await client.apply(kind, object, { dryRun: true }).catch((error: unknown) => {
      throw refusedObject(object, error, document);
    });
    if (live !== undefined) return { live, next };
    // The uid is of a try, not of an object: nothing can be its own.
    const { uid: _, ...metadata } = next.metadata;
    return { next: { ...next, metadata } };
  }

  /** Not for those who may not see namespaces. */
  async function exists(name: string): Promise<boolean> {
    const found = await client.getMetadata(Namespace, name).catch((error: unknown) => {
      if (isApiError(error, "Forbidden")) return undefined;
      throw error;
    });
    return found !== undefined;
  }

  /**
   * The rules of a kind are the same everywhere: what is to stand in a namespace that does not exist yet is tried in one that
   * does, under a name that nothing has. What policies say of name and namespace is left for later.
   */
  async function triedElsewhere(
    app: App,
    kind: AnyKind,
    object: KubeObject,
    document: Document,
  ): Promise<{ readonly note?: string }> {
    const name = `plan-${randomBytes(8).toString("hex")}`;
    const trial = { ...object, metadata: { ...object.metadata, name, namespace } };
    try {
      await client.create(kind, trial, { dryRun: true });
      return {};
    } catch (error) {
      if (!isApiError(error, "Invalid", "Forbidden", "NotFound", "QuotaExceeded")) throw error;
      // Schema and rules name their fields. They are judged before any policy is, and after the right to create.
      if (error.causes.some(({ field = "" }) => field.startsWith("spec"))) throw refusedObject(object, error, document);
      const isJudged = error.code !== "NotFound" && !error.message.includes("cannot create resource");
      const note = isJudged ? undefined : unevaluated(app);
      return note === undefined ? {} : { note };
    }
  }

  const previewed = (app: App, object: KubeObject): Promise<Prepared> =>
    preview(app, object, {
      view,
      kindOf: kindLookup(apps),
      rules: (ref) => impactRulesOf(ref.group, ref.kind),
      context: contexts,
      manager: controllerManager,
      randomBytes,
      onUnowned: shareApplications,
    });

  let mayPlan = true;
  /** Undefined for somebody who may not read what a plan needs. */
  async function ownPlan(app: App, object: KubeObject): Promise<Prepared | undefined> {
    if (!mayPlan) return undefined;
    try {
      return await previewed(app, object);
    } catch (error) {
      if (!isApiError(error, "Forbidden")) throw error;
      mayPlan = false;
      return undefined;
    }
  }

  return {
    preview: previewed,
    async plan(document) {
      const kind = await finder.kindOf(document.object, document.where);
      const object = placed(document.object, kind, namespace);
      const found = finder.appOf(object);
      const app = found?.elsewhere === true ? undefined : found;
      const unknown = app === undefined ? [] : unknownFields(app.schema, valueAt(object, "spec"));
      if (strict && unknown.length > 0) throw new UnknownFieldError(document.where, unknown);
      const { live, next, note } = await stored(kind, object, document, app);
      const unread = app === undefined ? [] : unknownFieldWarnings(app, object);
      const warnings = note === undefined ? unread : [...unread, note];
      const fields = live === undefined ? [] : documentChanges(live, next);
      const action = live === undefined ? "create" : fields.length === 0 ? "none" : "update";
      const common = { document, kind, object, live, action, fields, warnings } as const;
      if (object.kind === "Namespace" && kind.group === "") coming.add(object.metadata.name);
      if (found !== undefined && app === undefined)
        return {
          ...common,
          app: found,
          warnings: ["what it is made of is told to those who name its folder with --apps"],
        };
      if (app === undefined) return common;
      const prepared = await ownPlan(app, next);
      if (prepared === undefined) {
        if (coming.has(object.metadata.namespace ?? "")) {
          return { ...common, app, warnings: [...warnings, "what it is made of is known once its namespace exists"] };
        }
        const told = await serverPlan(client, object).catch((error: unknown) => {
          throw refusedObject(object, error, document);
        });
        for (const { object: made, action: does } of told.plan?.changes ?? []) {
          if (made.kind === "Namespace" && made.group === "" && does === "create") coming.add(made.name);
        }
        return { ...common, app, told };
      }
      for (const made of prepared.is === "planned" ? prepared.wanted : []) {
        const { object: wanted } = made.manifest;
        if (wanted.kind !== "Namespace" || groupOf(wanted.apiVersion) !== "") continue;
        coming.add(wanted.metadata.name);
        contexts.expect(wanted);
      }
      return { ...common, app, prepared };
    },
  };
}

/** The contexts of namespaces, read when asked for. A namespace that is to come has the context it will give. */
function clientContexts(client: Client, view: View) {
  const table = new ContextTable(version);
  const read = new Set<string>();
  let platform: Promise<void> | undefined;
  const readPlatform = async (): Promise<void> => {
    const probes = await Promise.all(
      [KeycloakRealmGroup, Package].map(async (kind) => ((await view.serves(kind)) ? [apiVersionOf(kind)] : [])),
    );
    table.setCluster(await readClusterValues(client));
    table.setApis(new Set(probes.flat()));
  };
  return {
    async contextOf(namespace: string) {
      platform ??= readPlatform();
      await platform;
      if (!read.has(namespace)) {
        read.add(namespace);
        const live = await client.get(Namespace, namespace);
        if (live !== undefined) table.setNamespace(namespace, live.metadata);
      }
      return table.answer(namespace);
    },
    expect({ metadata }: KubeObject): void {
      read.add(metadata.name);
      table.setNamespace(metadata.name, metadata);
    },
    onChange: () => () => undefined,
  };
}
