/**
 * The labels that say which application an object belongs to and whether tenants see it, and what is to be written.
 */
import { type KubeObject, type ObjectRef, refOf } from "../../kube/object.ts";
import { ownerToken } from "../../reconcile/owner.ts";
import type { Exposure } from "../../sdk/app.ts";
import { lineageLabels } from "../../sdk/lineage.ts";
import { TENANT_RESOURCE, visibilityLabels } from "../../sdk/visibility.ts";
import type { Instance } from "./instances.ts";

/** On objects that others made: that the labels are ours, and for which object of which instance. */
export const LINEAGE_ANNOTATION = "internal.cozystack.io/lineage";

/** Longest value of a label. */
const LIMIT = 63;

type Labels = Readonly<Record<string, string>>;

/** As upstream: cut to what a label may hold. */
function labelValue(text: string): string {
  return text.slice(0, LIMIT).replace(/[^A-Za-z0-9]+$/, "");
}

/** What the annotation says of an object that belongs to the instance. */
export function lineageMark(instance: Instance, ref: ObjectRef): string {
  return ownerToken(`lineage ${instance.uid}`, ref);
}

/**
 * The labels an object of the instance is to have. Where the exposure cannot be told (`undefined`), what the object says
 * stays, and an object that says nothing is hidden.
 */
export function wantedLabels(instance: Instance, exposure: Exposure | undefined, object: KubeObject): Labels {
  const { app, name } = instance;
  const identity = lineageLabels({ group: labelValue(app.group), kind: app.kind, name });
  if (exposure !== undefined) return { ...identity, ...visibilityLabels(exposure, object) };
  const said = object.metadata.labels?.[TENANT_RESOURCE];
  const visible = said === "true" || said === "false" ? { [TENANT_RESOURCE]: said } : visibilityLabels({}, object);
  return { ...identity, ...visible };
}

/** Server-side apply's body of the labels, for exactly this object: where it is gone nothing is made. */
export function patchOf(object: KubeObject, labels: Labels, annotations: Labels): KubeObject {
  const { name, namespace, uid } = object.metadata;
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      labels,
      annotations,
    },
  };
}

/**
 * What to apply to an object of the instance; undefined when it is all there. `rendered` objects carry their own proof, the
 * others get ours.
 */
export function relabelled(
  instance: Instance,
  exposure: Exposure | undefined,
  object: KubeObject,
  rendered: boolean,
): KubeObject | undefined {
  const labels = wantedLabels(instance, exposure, object);
  const annotations = rendered ? {} : { [LINEAGE_ANNOTATION]: lineageMark(instance, refOf(object)) };
  const has = (have: Labels = {}, want: Labels): boolean =>
    Object.entries(want).every(([key, value]) => have[key] === value);
  const { metadata } = object;
  if (has(metadata.labels, labels) && has(metadata.annotations, annotations)) return undefined;
  return patchOf(object, labels, annotations);
}

/** What of an object's metadata its lineage depends on, as one text. */
export function lineageFacts({ metadata }: KubeObject): string {
  const { uid, ownerReferences, labels, annotations = {}, deletionTimestamp } = metadata;
  const owner = annotations["internal.cozystack.io/owner"];
  return JSON.stringify([uid, ownerReferences, labels, owner, annotations[LINEAGE_ANNOTATION], deletionTimestamp]);
}
