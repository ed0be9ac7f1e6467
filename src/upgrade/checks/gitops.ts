/**
 * Who would write a field again after somebody else changed it: tools that keep a cluster as a repository says.
 */
import { valueAt } from "../../kube/json.ts";
import type { UnknownObject } from "../../kube/object.ts";

/** Field managers of such tools, by their names in `metadata.managedFields`. */
const tools: readonly { readonly tool: string; readonly managers: RegExp }[] = [
  { tool: "Flux", managers: /^(kustomize|helm)-controller$/ },
  { tool: "Argo CD", managers: /^argocd(-|$)/ },
  { tool: "Fleet", managers: /^fleet(agent|-|$)/ },
  { tool: "kapp-controller", managers: /^kapp(-controller)?$/ },
  { tool: "Terraform", managers: /^terraform/i },
  { tool: "Pulumi", managers: /^pulumi/ },
];

/** Managers that write when a person says so, or when we migrate, and not again. */
const people = /^(kubectl|cozystack|dashboard|Mozilla|node-fetch|k9s|Lens)/;

/** Marks that tools leave where managed fields do not survive, as in applications that upstream serves. */
const marks: readonly { readonly tool: string; readonly keys: readonly string[] }[] = [
  { tool: "Flux", keys: ["kustomize.toolkit.fluxcd.io/name", "helm.toolkit.fluxcd.io/name"] },
  { tool: "Argo CD", keys: ["argocd.argoproj.io/instance", "argocd.argoproj.io/tracking-id"] },
  { tool: "Fleet", keys: ["fleet.cattle.io/bundle-id", "objectset.rio.cattle.io/id"] },
];

/**
 * Who holds the field at `path` and would write it again, for people: the tool and how it is known. Managers that are nobody's tool here
 * are named as well, unless they are people's.
 */
export function revertersOf(object: UnknownObject, ...path: readonly string[]): readonly string[] {
  const { managedFields = [], labels, annotations } = object.metadata;
  const fields = path.map((key) => `f:${key}`);
  const holders = managedFields.flatMap(({ manager, fieldsV1, subresource }) =>
    manager === undefined || (subresource ?? "") !== "" || !holds(fieldsV1, fields) ? [] : [manager],
  );
  const managed = holders.flatMap((manager) => {
    const known = tools.find(({ managers }) => managers.test(manager));
    if (known !== undefined) return [`${known.tool} (field manager ${manager})`];
    return people.test(manager) ? [] : [`field manager ${manager}`];
  });
  const marked = marks.flatMap(({ tool, keys }) => {
    const key = keys.find((one) => labels?.[one] !== undefined || annotations?.[one] !== undefined);
    if (key === undefined || managed.some((text) => text.startsWith(`${tool} `))) return [];
    const source = labels?.[key] ?? annotations?.[key] ?? "";
    return [`${tool} (${key}: ${source})`];
  });
  return [...new Set([...managed, ...marked])];
}

/** Whether the field, or a part of it, is among those managed. */
function holds(fieldsV1: unknown, fields: readonly string[]): boolean {
  return valueAt(fieldsV1, ...fields) !== undefined;
}
