/**
 * Plans for people and for machines. The machine's form holds the plan as the controller executes it, unchanged.
 */
import { type Impact, worse } from "../contracts/impact.ts";
import type { ObjectRef } from "../kube/object.ts";
import type { Change, FieldChange, Plan } from "../reconcile/change.ts";
import { unconfirmedHash } from "../reconcile/plan-prune.ts";
import type { ObjectProblem } from "../reconcile/problem.ts";
import type { Json } from "../sdk/context.ts";
import { appsGroup } from "../sdk/define-app.ts";
import type { PlannedDocument } from "./planner.ts";
import { table } from "./table.ts";
import type { Paint } from "./terminal.ts";

/** One document of a plan, as JSON. */
export interface DocumentPlan {
  readonly object: ObjectRef;
  readonly action: PlannedDocument["action"] | "delete";
  readonly fields: readonly FieldChange[];
  readonly warnings: readonly string[];
  /** What the controller will do. */
  readonly plan?: Plan;
  readonly waiting?: { readonly on: ObjectRef; readonly why: string };
  readonly refused?: readonly ObjectProblem[];
  /** The consent that is missing: data would be lost. */
  readonly confirm?: string;
  /** Of an earlier application of this name; they stay until a person says otherwise. */
  readonly inherited?: readonly ObjectRef[];
  readonly kept?: readonly ObjectRef[];
  readonly holders?: readonly ObjectRef[];
}

/** What was planned, without what planning needed. */
export function documentPlan(planned: PlannedDocument): DocumentPlan {
  const { object, action, fields, warnings, prepared, kind, told = {} } = planned;
  const { name, namespace } = object.metadata;
  const ref = { group: kind.group, kind: kind.kind, name, ...(namespace === undefined ? {} : { namespace }) };
  const common = { object: ref, action, fields, warnings, ...told };
  if (prepared === undefined) return common;
  if (prepared.is === "waiting") return { ...common, waiting: { on: prepared.on, why: prepared.why } };
  if (prepared.is === "refused") return { ...common, refused: prepared.problems };
  const { plan, refused, confirm, unconfirmed } = prepared.plan;
  return {
    ...common,
    plan,
    ...(refused.length === 0 ? {} : { refused }),
    ...(confirm === undefined ? {} : { confirm }),
    ...(unconfirmed.length === 0 ? {} : { inherited: unconfirmed }),
  };
}

/** Whether something would be different afterwards. */
export function hasChanges({ action, plan }: DocumentPlan): boolean {
  return action !== "none" || (plan?.changes.length ?? 0) > 0;
}

/** The worst that happens to what runs. */
export function worstImpact(plans: readonly DocumentPlan[]): Impact {
  return plans.reduce<Impact>((worst, { plan }) => worse(worst, plan?.impact ?? "none"), "none");
}

/** `postgres.apps.cozystack.io/db`, as kubectl names objects. */
export function shortName({ group, kind, name }: ObjectRef): string {
  return `${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`;
}

/** Names of all objects that would change, one object once. */
export function changedNames(plans: readonly DocumentPlan[]): readonly string[] {
  const names = plans.flatMap((one) => [
    ...(one.action === "none" || one.action === "delete" ? [] : [shortName(one.object)]),
    ...(one.plan?.changes ?? []).map(({ object }) => shortName(object)),
  ]);
  return [...new Set(names)];
}

const symbols = { create: "+", update: "~", adopt: "~", delete: "-" } as const;

function symbolOf({ action, impact }: Change, paint: Paint): string {
  if (impact === "losesData") return paint.bad("!");
  if (impact === "replaces") return paint.warn("±");
  const symbol = symbols[action];
  if (action === "create") return paint.good(symbol);
  return action === "delete" ? paint.bad(symbol) : paint.warn(symbol);
}

const impactTexts: Readonly<Record<Impact, string>> = {
  none: "",
  inPlace: "in place",
  restarts: "restarts",
  rolls: "rolls pods",
  replaces: "made anew",
  deletes: "deleted",
  losesData: "LOSES DATA",
};

function impactText({ action, impact }: Change, paint: Paint): string {
  const text = impactTexts[impact];
  if (impact === "losesData") return paint.bad(text);
  if (action === "create" || impact === "none" || impact === "inPlace" || impact === "deletes") return text;
  return paint.warn(text);
}

/** An object within the text about an application: its namespace only where it is another one. */
export function objectText(object: ObjectRef, home: string | undefined): string {
  const place = object.namespace === undefined || object.namespace === home ? "" : `${object.namespace}/`;
  return `${object.kind} ${place}${object.name}`;
}

function valueText(value: Json | undefined): string {
  if (value === undefined) return "(unset)";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const [first = "", ...more] = text.split("\n");
  return more.length > 0 || first.length > 70 ? `${first.slice(0, 67)}...` : first;
}

const volumeTexts = {
  stay: "; volumes of what goes stay, and take up storage",
  go: "; volumes of what goes are deleted",
} as const;

function fieldText({ path, from, to, volumes }: FieldChange): string {
  return `${path}: ${valueText(from)} -> ${valueText(to)}${volumes === undefined ? "" : volumeTexts[volumes]}`;
}

const mostFields = 12;

/** A change as rows of a table: how it is meant, the object, its impact, and a field each. */
export function changeRows(change: Change, home: string | undefined, paint: Paint): readonly (readonly string[])[] {
  const { fields, because, action } = change;
  const shown = fields.slice(0, mostFields).map(fieldText);
  const more = fields.length > mostFields ? [`and ${fields.length - mostFields} more fields`] : [];
  const [first = action === "create" || action === "delete" ? "" : because, ...others] = [...shown, ...more];
  const note = fields.length > 0 || action === "update" ? first : action === "adopt" ? because : "";
  return [
    [`  ${symbolOf(change, paint)}`, objectText(change.object, home), impactText(change, paint), note],
    ...others.map((text) => ["", "", "", text]),
  ];
}

const documentActions = {
  create: "to be created",
  update: "to be changed",
  none: "unchanged",
  delete: "to be deleted",
} as const;

/** One document's part of the text. */
export function documentLines(one: DocumentPlan, paint: Paint): readonly string[] {
  const { object, action, fields, warnings, plan, waiting, refused = [], confirm, inherited = [] } = one;
  const home = object.namespace;
  const title = `${object.kind} ${home === undefined ? "" : `${home}/`}${object.name}`;
  const rows = (plan?.changes ?? []).flatMap((change) => changeRows(change, home, paint));
  return [
    `${paint.strong(title)}: ${documentActions[action]}`,
    ...warnings.map((warning) => `  ${paint.warn("warning:")} ${warning}`),
    ...fields.map((field) => `    ${fieldText(field)}`),
    ...(rows.length === 0 ? [] : [table([], rows)]),
    ...(waiting === undefined ? [] : [`  ${paint.warn("will wait:")} ${objectText(waiting.on, home)} ${waiting.why}`]),
    ...refused.flatMap((problem) => problemLines(problem, home, paint)),
    ...(one.kept ?? []).map((ref) => `    ${objectText(ref, home)}: stays`),
    ...(one.holders ?? []).map((ref) => `  ${paint.warn("will wait:")} ${objectText(ref, home)} uses it`),
    ...(inherited.length === 0
      ? []
      : [
          `  ${inherited.length} objects of an earlier application of this name stay. To delete them: --allow-data-loss ${unconfirmedHash(inherited)}`,
        ]),
    ...(confirm === undefined
      ? []
      : [`  ${paint.bad("Data would be lost.")} To allow it: --allow-data-loss ${confirm}`]),
  ];
}

function problemLines(problem: ObjectProblem, home: string | undefined, paint: Paint): readonly string[] {
  const field = problem.field === undefined ? "" : ` ${problem.field}`;
  return [
    `  ${paint.bad("refused:")} ${objectText(problem.object, home)}${field}: ${problem.message} (${problem.code})`,
    `    ${problem.remedy}`,
  ];
}

const verbs = [
  ["to create", ["create"]],
  ["to change", ["update", "adopt"]],
  ["to delete", ["delete"]],
] as const;

const counted = (number: number, what: string): readonly string[] =>
  number === 0 ? [] : [`${number} ${what}${number === 1 ? "" : "s"}`];

/** The closing line: how much of what. Applications are what is asked for, objects what they are made of. */
export function totals(plans: readonly DocumentPlan[]): string {
  const changes = plans.flatMap(({ object, action, plan }) => [
    // A deletion's plan has it among its changes.
    ...(action === "none" || action === "delete" ? [] : [{ object, action }]),
    ...(plan?.changes ?? []),
  ]);
  const worst = worstImpact(plans);
  const said = verbs.flatMap(([what, actions]) => {
    const of = changes.filter(({ action }) => actions.some((one) => one === action));
    const applications = of.filter(({ object }) => object.group === appsGroup).length;
    const counts = [...counted(applications, "application"), ...counted(of.length - applications, "object")];
    return counts.length === 0 ? [] : [`${counts.join(" and ")} ${what}`];
  });
  if (said.length === 0) return "Nothing would change.";
  return `Plan: ${said.join(", ")}.${worst === "none" ? "" : ` Worst effect: ${impactTexts[worst]}.`}`;
}

/** The whole text: a block for each document that has something to say, one line for the others. */
export function planText(plans: readonly DocumentPlan[], paint: Paint): string {
  const blocks = plans.map((one) => documentLines(one, paint));
  const spaced = blocks.flatMap((lines, at) => {
    const after = blocks[at + 1];
    return after !== undefined && lines.length === 1 && after.length === 1 ? lines : [...lines, ""];
  });
  return [...spaced, totals(plans)].join("\n");
}

/** The whole value, for `-o json` and `-o yaml`. */
export function planValue(plans: readonly DocumentPlan[]) {
  return { changes: plans.some(hasChanges), impact: worstImpact(plans), documents: plans };
}
