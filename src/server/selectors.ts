/**
 * Label and field selectors as requests carry them.
 */
import type { LabelSelectorRequirement, Strings } from "../kube/kinds/common-fields.ts";
import type { KubeObject } from "../kube/object.ts";
import { matchesLabels } from "../kube/selector.ts";
import { badRequest } from "./status.ts";

/** Whether an object is selected. */
export type Selects = (object: KubeObject) => boolean;

interface Compared {
  readonly key: string;
  readonly above: boolean;
  readonly than: number;
}

const qualified = /^(?:[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

const wrong = (selector: string): never => {
  throw badRequest(`unable to parse requirement of label selector ${JSON.stringify(selector)}`);
};

/** The requirements of a label selector, split at commas outside parentheses. */
function split(selector: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let inside = false;
  // In one go: a request may bring a megabyte, and whoever may list anything may send it.
  for (let at = 0; at <= selector.length; at += 1) {
    const character = selector[at];
    if (character === "(") inside = true;
    else if (character === ")") inside = false;
    else if (character === undefined || (character === "," && !inside)) {
      const part = selector.slice(start, at).trim();
      if (part !== "") parts.push(part);
      start = at + 1;
    }
  }
  return parts;
}

function requirement(part: string): LabelSelectorRequirement | Compared {
  const absent = /^!\s*(\S+)$/.exec(part);
  if (absent?.[1] !== undefined) return { key: key(absent[1], part), operator: "DoesNotExist" };
  const set = /^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(part);
  if (set?.[1] !== undefined) {
    const values = (set[3] ?? "").split(",").map((one) => value(one.trim(), part));
    return { key: key(set[1], part), operator: set[2] === "in" ? "In" : "NotIn", values };
  }
  const compared = /^([^\s<>]+)\s*([<>])\s*(-?\d+)$/.exec(part);
  if (compared?.[1] !== undefined) {
    return { key: key(compared[1], part), above: compared[2] === ">", than: Number(compared[3]) };
  }
  const equal = /^([^\s=!]+)\s*(==?|!=)\s*(\S*)$/.exec(part);
  if (equal?.[1] !== undefined) {
    const values = [value(equal[3] ?? "", part)];
    return { key: key(equal[1], part), operator: equal[2] === "!=" ? "NotIn" : "In", values };
  }
  return { key: key(part, part), operator: "Exists" };
}

const key = (text: string, part: string): string => (qualified.test(text) ? text : wrong(part));
const value = (text: string, part: string): string => (labelValue.test(text) ? text : wrong(part));

function compares(labels: Strings, { key: name, above, than }: Compared): boolean {
  const text = labels[name];
  if (text === undefined || !/^-?\d+$/.test(text)) return false;
  return above ? Number(text) > than : Number(text) < than;
}

/** @throws StatusError `BadRequest` for text that is no label selector. */
export function labelSelector(text: string): (labels: Strings | undefined) => boolean {
  const all = split(text).map(requirement);
  const matchExpressions = all.flatMap((one) => ("operator" in one ? [one] : []));
  const comparisons = all.flatMap((one) => ("operator" in one ? [] : [one]));
  return (labels = {}) =>
    matchesLabels({ matchExpressions }, labels) && comparisons.every((one) => compares(labels, one));
}

export interface FieldRequirement {
  readonly field: "metadata.name" | "metadata.namespace";
  readonly equal: boolean;
  readonly value: string;
}

/** @throws StatusError `BadRequest` for any other field than name and namespace. */
export function fieldRequirements(text: string, plural: string): readonly FieldRequirement[] {
  return split(text).map((part) => {
    const match = /^([^=!]+)(==?|!=)(.*)$/.exec(part);
    if (match === null) throw badRequest(`invalid field selector ${JSON.stringify(part)}`);
    const [, field = "", operator, wanted = ""] = match;
    if (field !== "metadata.name" && field !== "metadata.namespace") {
      throw badRequest(
        `field label not supported for ${plural}: ${field}; only metadata.name and metadata.namespace are`,
      );
    }
    return { field, equal: operator !== "!=", value: wanted.replaceAll(/\\(.)/g, "$1") };
  });
}

/** Both selectors of a request as one predicate. */
export function selection(labels: string, fields: string, plural: string): Selects {
  const matchesLabel = labelSelector(labels);
  const requirements = fieldRequirements(fields, plural);
  return ({ metadata }) =>
    matchesLabel(metadata.labels) &&
    requirements.every(({ field, equal, value: wanted }) => {
      const live = field === "metadata.name" ? metadata.name : (metadata.namespace ?? "");
      return (live === wanted) === equal;
    });
}
