/**
 * Proof that an object was rendered for an application: the owner annotation, which fits this object of this instance
 * alone. Labels only say whom to try first.
 */
import { type KubeObject, refOf } from "../../kube/object.ts";
import { OWNER_ANNOTATION, ownerToken } from "../../reconcile/owner.ts";
import type { Instance, Instances } from "./instances.ts";

const LABEL = "apps.cozystack.io/application.";

/** Whom the labels name; not to be believed. */
export function namedBy({ metadata: { labels = {} } }: KubeObject, instances: Instances): readonly Instance[] {
  const [group, kind, name] = ["group", "kind", "name"].map((part) => labels[`${LABEL}${part}`]);
  if (group === undefined || kind === undefined || name === undefined) return [];
  return instances.named(group, kind, name);
}

/** The application that `object` was rendered for; `namespace` is where the search began. */
export function provenOwner(object: KubeObject, namespace: string, instances: Instances): Instance | undefined {
  const annotation = object.metadata.annotations?.[OWNER_ANNOTATION];
  if (annotation === undefined) return undefined;
  const ref = refOf(object);
  const fits = ({ uid }: Instance): boolean => ownerToken(uid, ref) === annotation;
  return namedBy(object, instances).find(fits) ?? instances.in(namespace).find(fits);
}
