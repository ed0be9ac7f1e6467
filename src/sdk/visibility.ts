/**
 * Which objects of an application its tenant's people see: the label that TenantSecret and the console select by.
 */
import { groupOf, type KubeObject } from "../kube/object.ts";
import { matchesLabels } from "../kube/selector.ts";
import type { Exposure, ObjectSelector } from "./app.ts";

/** `"true"` on objects that tenants see, `"false"` on the others of {@link isLabelledKind}. */
export const TENANT_RESOURCE = "internal.cozystack.io/tenantresource";

/** By `group/Kind`: how an exposure names objects of the kind; undefined for kinds that no exposure shows. */
const KINDS: Readonly<Record<string, "secrets" | "services" | "ingresses" | undefined>> = {
  "/Secret": "secrets",
  "/Service": "services",
  "networking.k8s.io/Ingress": "ingresses",
  "/Pod": undefined,
  "/PersistentVolumeClaim": undefined,
  "cozystack.io/WorkloadMonitor": undefined,
};

const keyOf = (object: KubeObject): string => `${groupOf(object.apiVersion)}/${object.kind}`;

/** Whether objects of the kind say of themselves whether tenants see them. */
export function isLabelledKind(object: KubeObject): boolean {
  return Object.hasOwn(KINDS, keyOf(object));
}

/** Whether an exposure shows an object: by name, or by all labels of a selector. A selector without labels shows nothing. */
export function isExposed(exposure: Exposure, object: KubeObject): boolean {
  const field = KINDS[keyOf(object)];
  if (field === undefined) return false;
  if (exposure[field]?.includes(object.metadata.name) === true) return true;
  const selector = Object.entries((field === "ingresses" ? undefined : exposure.labelled?.[field]) ?? {});
  if (selector.length > 0 && selector.every(([key, value]) => object.metadata.labels?.[key] === value)) return true;
  const { include = [], exclude = [] } = exposure.selected?.[field] ?? {};
  return !exclude.some((each) => matches(each, object)) && include.some((each) => matches(each, object));
}

function matches({ names, ...selector }: ObjectSelector, { metadata }: KubeObject): boolean {
  return matchesLabels(selector, metadata.labels) && (names === undefined || names.includes(metadata.name));
}

/** The label of an object of the application; none for kinds that do not carry it. */
export function visibilityLabels(exposure: Exposure, object: KubeObject): Readonly<Record<string, string>> {
  return isLabelledKind(object) ? { [TENANT_RESOURCE]: String(isExposed(exposure, object)) } : {};
}
