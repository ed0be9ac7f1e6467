/**
 * What a definition says of its releases and of what is shown, read and checked. What cannot be used is left out and named.
 */

import type { Definition, ResourceSelector } from "../../contracts/application-definition.ts";
import type { LabelSelectorRequirement } from "../../kube/core-kinds.ts";
import type { Exposure, ObjectSelector, Selection } from "../app.ts";
import { filledIn, type NameParts, templateProblem } from "./template.ts";

/** Marks a module of a tenant; upstream's definitions carry it among the labels of their releases. */
export const MODULE_LABEL = "internal.cozystack.io/tenantmodule";

/** A definition whose applications are modules: one for each tenant, of a fixed name. */
export function isModule({ spec }: Definition): boolean {
  return spec.dashboard?.module === true || spec.release.labels?.[MODULE_LABEL] === "true";
}

const annotations = {
  install: "release.cozystack.io/helm-install-timeout",
  upgrade: "release.cozystack.io/helm-upgrade-timeout",
  disableWait: "release.cozystack.io/helm-install-disable-wait",
} as const;

const duration = /^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$/;

/** Timeouts and waiting of a definition's releases. */
export interface ReleaseOptions {
  readonly installTimeout: string;
  readonly upgradeTimeout: string;
  readonly disableWait: boolean;
}

const standardTimeout = "10m";

export function releaseOptions({ metadata }: Definition): ReleaseOptions {
  const said = metadata.annotations ?? {};
  const time = (key: string): string | undefined => (duration.test(said[key] ?? "") ? said[key] : undefined);
  const installTimeout = time(annotations.install) ?? standardTimeout;
  return {
    installTimeout,
    upgradeTimeout: time(annotations.upgrade) ?? installTimeout,
    disableWait: said[annotations.disableWait]?.trim().toLowerCase() === "true",
  };
}

const labelKey = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const labelText = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;
/** Who an object belongs to and who sees it is the platform's to say. */
const reserved = /^(internal|platform)\.cozystack\.io\/|^apps\.cozystack\.io\/application\./;

/** The definition's labels of its releases, as far as they are labels and not the platform's own. */
export function releaseLabels({ spec }: Definition): Readonly<Record<string, string>> {
  const said = Object.entries(spec.release.labels ?? {});
  return Object.fromEntries(
    said.filter(([key, value]) => isLabel(key, value) && (key === MODULE_LABEL || !reserved.test(key))),
  );
}

const isLabel = (key: string, value: string): boolean => labelKey.test(key) && labelText.test(value);

const shown = ["secrets", "services", "ingresses"] as const;

/** What a tenant sees of one application. A list with an entry that cannot be read shows nothing. */
export function exposureOf(definition: Definition, parts: Omit<NameParts, "kind">): Exposure {
  const values = { ...parts, kind: definition.spec.application.kind.toLowerCase() };
  const selected = shown.flatMap((field) => {
    const said = definition.spec[field];
    if (said === undefined || problemIn(definition, field) !== undefined) return [];
    const read = (each: readonly ResourceSelector[] = []): readonly ObjectSelector[] =>
      each.map((one) => selector(one, values));
    const selection: Selection = { include: read(said.include), exclude: read(said.exclude) };
    return [[field, selection] as const];
  });
  return { selected: Object.fromEntries(selected) };
}

function selector(
  { matchLabels, matchExpressions, resourceNames }: ResourceSelector,
  values: NameParts,
): ObjectSelector {
  return {
    ...(matchLabels === undefined ? {} : { matchLabels }),
    ...(matchExpressions === undefined ? {} : { matchExpressions: matchExpressions.flatMap(expression) }),
    ...(resourceNames === undefined ? {} : { names: resourceNames.map((name) => filledIn(name, values) ?? "") }),
  };
}

const operators = ["In", "NotIn", "Exists", "DoesNotExist"] as const;

/** None for an operator that does not exist; nothing is shown by a list with one. */
function expression({ key, operator, values }: SaidExpression): readonly LabelSelectorRequirement[] {
  const known = operators.find((each) => each === operator);
  return known === undefined ? [] : [{ key, operator: known, ...(values === undefined ? {} : { values }) }];
}

type SaidExpression = NonNullable<ResourceSelector["matchExpressions"]>[number];

function expressionProblem({ key, operator, values = [] }: SaidExpression): string | undefined {
  if (!operators.some((each) => each === operator)) return `${operator} is none of ${operators.join(", ")}`;
  const wantsValues = operator === "In" || operator === "NotIn";
  if (wantsValues === values.length > 0) return undefined;
  return `${key} ${operator} takes ${wantsValues ? "values" : "no values"}`;
}

function problemIn({ spec }: Definition, field: (typeof shown)[number]): string | undefined {
  for (const list of ["exclude", "include"] as const) {
    for (const [at, { resourceNames = [], matchExpressions = [] }] of (spec[field]?.[list] ?? []).entries()) {
      const problem = resourceNames.map(templateProblem).find((found) => found !== undefined);
      if (problem !== undefined) return `spec.${field}.${list}[${at}].resourceNames: ${problem}`;
      const wrong = matchExpressions.map(expressionProblem).find((found) => found !== undefined);
      if (wrong !== undefined) return `spec.${field}.${list}[${at}].matchExpressions: ${wrong}`;
    }
  }
  return undefined;
}

export interface OptionProblem {
  readonly reason: "SelectorInvalid" | "AnnotationInvalid" | "LabelInvalid";
  readonly message: string;
}

/** What of a definition is not used, and why. */
export function optionProblems(definition: Definition): readonly OptionProblem[] {
  const { metadata, spec } = definition;
  const said = metadata.annotations ?? {};
  const wrongTime = [annotations.install, annotations.upgrade].filter(
    (key) => (said[key] ?? "") !== "" && !duration.test(said[key] ?? ""),
  );
  const wait = said[annotations.disableWait]?.trim().toLowerCase() ?? "";
  return [
    ...shown.flatMap((field) => {
      const problem = problemIn(definition, field);
      return problem === undefined
        ? []
        : [{ reason: "SelectorInvalid" as const, message: `${problem}; no ${field} are shown until it is corrected` }];
    }),
    ...wrongTime.map((key) => ({
      reason: "AnnotationInvalid" as const,
      message: `metadata.annotations: ${key} is no time such as 15m; the standard time holds`,
    })),
    ...(["", "true", "false"].includes(wait)
      ? []
      : [
          {
            reason: "AnnotationInvalid" as const,
            message: `metadata.annotations: ${annotations.disableWait} is true or false`,
          },
        ]),
    ...Object.entries(spec.release.labels ?? {})
      .filter(([key, value]) => !isLabel(key, value) || (key !== MODULE_LABEL && reserved.test(key)))
      .map(([key]) => ({
        reason: "LabelInvalid" as const,
        message: `spec.release.labels: ${key} is no label that a definition may set; it is left out`,
      })),
  ];
}
