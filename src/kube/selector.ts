/**
 * Label selectors: matching in memory, and as the text of a list or watch.
 */
import type { LabelSelector, LabelSelectorRequirement, Strings } from "./kinds/common-fields.ts";

function meets(labels: Strings, { key, operator, values = [] }: LabelSelectorRequirement): boolean {
  const value = labels[key];
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
  }
}

/** Whether labels match. As in Kubernetes, an empty selector matches everything. */
export function matchesLabels(selector: LabelSelector, labels: Strings = {}): boolean {
  const exact = Object.entries(selector.matchLabels ?? {});
  return (
    exact.every(([key, value]) => labels[key] === value) &&
    (selector.matchExpressions ?? []).every((requirement) => meets(labels, requirement))
  );
}

function requirementText({ key, operator, values = [] }: LabelSelectorRequirement): string {
  switch (operator) {
    case "In":
      return `${key} in (${values.join(",")})`;
    case "NotIn":
      return `${key} notin (${values.join(",")})`;
    case "Exists":
      return key;
    case "DoesNotExist":
      return `!${key}`;
  }
}

/** The selector as the `labelSelector` of a request. */
export function selectorText(selector: LabelSelector): string {
  return [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(selector.matchExpressions ?? []).map(requirementText),
  ].join(",");
}
