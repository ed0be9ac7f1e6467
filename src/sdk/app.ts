/**
 * How an application is defined. `defineApp` (define-app.ts) checks a definition and gives the {@link App} the rest of the
 * program works with, in which the application's own types no longer show.
 */
import type { Static, TObject, TProperties } from "typebox";
import type { CustomResourceDefinition, LabelSelector } from "../kube/core-kinds.ts";
import type { AnyKind, ObjectRef } from "../kube/object.ts";
import type { AppContext, Json } from "./context.ts";
import type { PrinterColumn } from "./crd.ts";
import type { Manifest, Rendered } from "./manifest.ts";
import type { Answers, NeedRequest, Needs, Resolved } from "./needs.ts";
import type { PlacedRule } from "./rules.ts";
import type { ComingRule, Tightening } from "./tightening.ts";

/** Which instance of the application, and what its user asks for. `spec` has its defaults and is normalised. */
export interface AppInput<Spec> {
  /** Name of the application object. */
  readonly name: string;
  /** Namespace of the application object and, unless they say otherwise, of everything rendered. */
  readonly namespace: string;
  /** Prefix plus name: the name that rendered objects derive from. */
  readonly release: string;
  readonly spec: Spec;
  readonly context: AppContext;
}

export interface RenderInput<Spec, N extends Needs> extends AppInput<Spec> {
  readonly needs: Resolved<N>;
}

/** A WorkloadMonitor: which pods count, and how many of them make the application operational. */
export interface Monitor {
  readonly name: string;
  /** `spec.kind` and `spec.type`; default: the application's kind in lower case. */
  readonly kind?: string;
  readonly type?: string;
  /** Absent where the number of pods is not known beforehand. */
  readonly replicas?: number;
  readonly minReplicas: number;
  readonly selector: Readonly<Record<string, string>>;
  /** Shown in the label `workloads.cozystack.io/resource-preset`. */
  readonly preset?: string;
  /** Further labels of the monitor. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Render `metadata.namespace` too, as some of upstream's charts do. */
  readonly withNamespace?: boolean;
}

export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
}

/** What the tenant's people may see of the application: rendered as Role and RoleBinding `<release>-dashboard-resources`. */
export interface Exposure {
  readonly services?: readonly string[];
  readonly secrets?: readonly string[];
  readonly ingresses?: readonly string[];
  readonly monitors?: readonly string[];
  /** Rules besides the ones above, in order after them. */
  readonly rules?: readonly PolicyRule[];
  /** Least access level of the binding. Default `use`. */
  readonly level?: AccessLevel;
  /** Which Secrets and Services made by others are shown to tenants as well, by label. */
  readonly labelled?: {
    readonly secrets?: Readonly<Record<string, string>>;
    readonly services?: Readonly<Record<string, string>>;
  };
  /** What is shown of objects that others make, where names and one set of labels do not say it. */
  readonly selected?: {
    readonly secrets?: Selection;
    readonly services?: Selection;
    readonly ingresses?: Selection;
  };
}

/** What an exclusion matches is hidden; of the rest, what an inclusion matches is shown. */
export interface Selection {
  readonly include: readonly ObjectSelector[];
  readonly exclude: readonly ObjectSelector[];
}

/** Matches by labels and by name; both must fit. Without labels, any labels fit. */
export interface ObjectSelector extends LabelSelector {
  /** Absent: any name. Empty: none. */
  readonly names?: readonly string[];
}

export type AccessLevel = "view" | "use" | "admin" | "super-admin";

/** Data that lives on after its controller: found by kind and labels (or name) and freed on deletion, or kept with `reclaimPolicy: Retain`. */
export interface StorageClaim {
  readonly group: string;
  readonly kind: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly names?: readonly string[];
}

/**
 * Objects that others made for the application and that may stay behind when it is gone, such as solvers of a certificate
 * challenge. Deleted (uid precondition) after everything the application owns, whatever its `reclaimPolicy`; looked for only
 * where the cluster serves the kind. They carry no mark of ours: `names`, or `labels` and `where` together, must be exact.
 */
export interface Leftover {
  readonly kind: AnyKind;
  readonly names?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  /** Only objects whose value at this path (keys and list positions) is this text. */
  readonly where?: { readonly path: readonly (string | number)[]; readonly equals: string };
}

export interface Catalog {
  readonly title: string;
  readonly titlePlural?: string;
  readonly category: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly weight?: number;
  /** Order of the form's fields. */
  readonly fieldOrder?: readonly string[];
}

/** A spec's schema with the rules over it, made by `appSpec` (spec.ts of the SDK). */
export interface AppSpec<S extends TObject> {
  readonly schema: S;
  readonly rules: readonly PlacedRule[];
}

/**
 * Application objects in another namespace that go before anything the instance owns is deleted: all of them are deleted,
 * and gone, before the next stage begins.
 */
export interface DeletionStage {
  readonly namespace: string;
  /** `modules`: kinds that are modules; `applications`: all other kinds. */
  readonly of: "applications" | "modules";
}

export interface AppDefinition<S extends TObject, N extends Needs> {
  /** Default `apps.cozystack.io`. Another group is for kinds that only the platform itself creates. */
  readonly group?: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular?: string;
  /** Prefix of the release name, such as `redis-`; empty for modules. */
  readonly release: string;
  /** A module of a tenant: at most one per namespace, named as its kind in lower case. */
  readonly module?: boolean;
  readonly catalog: Catalog;
  /**
   * Longest release name (prefix and name) from which all names can be derived, the operator's own included. Default: 53, as
   * upstream. Judged when an application is created; render refuses what its sizes make longer.
   */
  readonly longestRelease?: number;
  readonly spec: AppSpec<S>;
  /** Schema of this application's own fields of `status`, all of them optional. {@link statusOf} gives their values. */
  readonly status?: TProperties;
  /** Columns of `kubectl get` besides READY, AGE and VERSION. */
  readonly columns?: readonly PrinterColumn[];
  /** What the next version will refuse; see tightening.ts. */
  readonly tightening?: readonly Tightening<Static<S>>[];
  readonly needs?: (input: AppInput<Static<S>>) => N;
  /** Pure. Throws a `Refusal` (errors.ts) for a spec that no schema rule can refuse. */
  readonly render: (input: RenderInput<Static<S>, N>) => readonly Rendered[];
  readonly monitors?: (input: AppInput<Static<S>>) => readonly Monitor[];
  readonly expose?: (input: AppInput<Static<S>>) => Exposure;
  readonly storage?: (input: AppInput<Static<S>>) => readonly StorageClaim[];
  /** See {@link Leftover}. */
  readonly leftovers?: (input: AppInput<Static<S>>) => readonly Leftover[];
  /**
   * Other applications' objects (group `apps.cozystack.io`) that this one uses. While this one lives, deletion of those is
   * held and names this one as its blocker. No namespace: this one's own.
   */
  readonly references?: (input: AppInput<Static<S>>) => readonly ObjectRef[];
  /** Values of this application's own fields of `status`, from what render knows. Other fields are left alone. */
  readonly statusOf?: (input: RenderInput<Static<S>, N>) => Readonly<Record<string, Json>>;
  /** See {@link DeletionStage}. Knows no spec and no context, so that deletion works whatever became of them. */
  readonly deletion?: (object: { readonly name: string; readonly namespace: string }) => readonly DeletionStage[];
}

/** One instance, ready to be resolved and rendered. */
export interface AppInstance {
  readonly release: string;
  readonly spec: unknown;
  readonly needs: readonly NeedRequest[];
  /** All objects of the instance: what render gives, the monitors, the dashboard Role and RoleBinding. Namespaces filled in where the kind has one is left to the caller. */
  render(answers: Answers): readonly Manifest[];
  readonly storage: readonly StorageClaim[];
  readonly leftovers: readonly Leftover[];
  readonly references: readonly ObjectRef[];
  readonly exposure: Exposure;
  /** What of this spec the next version will refuse, a line each. Default: nothing. */
  readonly willBeRefused?: readonly string[];
  /** Fields of `status` that only this application has. Throws what render throws. */
  status(answers: Answers): Readonly<Record<string, Json>>;
  /** What others say of the application, where it is installed by somebody else; absent where we render it ourselves. */
  observed?(answers: Answers): Observed;
}

/** An application as its installer reports it. */
export interface Observed {
  /** `status.version`; absent until one is known. */
  readonly version?: string;
  /** `operational` of each of its WorkloadMonitors; undefined: not looked at yet. */
  readonly monitors: readonly (boolean | undefined)[];
}

/** An application as the controller, the CLI and the suites see it. */
export interface App {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly release: string;
  readonly module: boolean;
  readonly catalog: Catalog;
  /** Rules of the next version, warned of until then. Default: none. */
  readonly tightening?: readonly ComingRule[];
  /** Name of the ApplicationDefinition that it follows from; absent for those of the program. */
  readonly definedBy?: string;
  /** Its definition is not at hand: objects of the kind can be found and followed, not rendered. */
  readonly elsewhere?: true;
  /** Longest name of an application, in characters. */
  readonly longestName: number;
  /** TypeBox schema of `spec`, defaults included. */
  readonly schema: TObject;
  /** The CustomResourceDefinition that serves the kind. */
  crd(): CustomResourceDefinition;
  /**
   * Reads a spec as stored (defaults may be missing, unknown fields present) and prepares one instance.
   * Throws a `Refusal` when the spec does not fit the schema.
   */
  instance(
    object: { readonly name: string; readonly namespace: string; readonly spec: unknown },
    context: AppContext,
  ): AppInstance;
  /** What goes before the objects of a deleted instance, in order; empty for all but Tenant. */
  deletion(object: { readonly name: string; readonly namespace: string }): readonly DeletionStage[];
}
