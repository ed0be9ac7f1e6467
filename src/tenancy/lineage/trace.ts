/**
 * From an object up its owner references to the application it was made for. Pure: what it meets is looked up by the caller.
 */
import type { KubeObject, OwnerReference } from "../../kube/object.ts";
import type { Instance } from "./instances.ts";

/** What is found under an owner reference. */
export type Found =
  | { readonly is: "object"; readonly object: KubeObject }
  | { readonly is: "instance"; readonly instance: Instance }
  /** There is none: it was deleted, or is not there yet. Its arrival is an event. */
  | { readonly is: "absent" }
  /** Not known yet. `on` tells the caller what it waits for. */
  | { readonly is: "pending"; readonly on: string };

export interface Surroundings {
  /** The application that an object was rendered for, by proof. */
  provenOwner(object: KubeObject): Instance | undefined;
  owner(reference: OwnerReference): Found;
  /** The release of Flux that made an object without owners, by its label. */
  release(name: string): Found;
}

export type Traced =
  | { readonly is: "owned"; readonly by: Instance; readonly rendered: boolean }
  | { readonly is: "unowned" }
  | { readonly is: "pending"; readonly on: readonly string[] }
  /** Owners that belong to different applications, none of which controls it. */
  | { readonly is: "ambiguous"; readonly among: readonly Instance[] };

/** On what Flux's helm-controller makes: the name of the release. */
export const RELEASE_LABEL = "helm.toolkit.fluxcd.io/name";

/** Longer chains do not occur. */
const LONGEST = 16;

/**
 * The controlling owner decides. Where it leads nowhere, or there is none, all others are asked and must agree: the order
 * of the references means nothing.
 */
export function trace(object: KubeObject, around: Surroundings): Traced {
  return climb(object, around, new Set(), 0);
}

function climb(object: KubeObject, around: Surroundings, seen: Set<string>, depth: number): Traced {
  const by = around.provenOwner(object);
  if (by !== undefined) return { is: "owned", by, rendered: depth === 0 };
  if (depth >= LONGEST) return { is: "unowned" };
  const owners = object.metadata.ownerReferences ?? [];
  if (owners.length === 0) {
    const name = object.metadata.labels?.[RELEASE_LABEL];
    return name === undefined ? { is: "unowned" } : follow(around.release(name), around, seen, depth);
  }
  const up = (owner: OwnerReference): Traced => {
    if (seen.has(owner.uid)) return { is: "unowned" };
    return follow(around.owner(owner), around, new Set(seen).add(owner.uid), depth);
  };
  const controller = owners.find((owner) => owner.controller === true);
  const first = controller === undefined ? undefined : up(controller);
  if (first !== undefined && first.is !== "unowned") return first;
  return agreed(owners.filter((owner) => owner !== controller).map(up));
}

function follow(found: Found, around: Surroundings, seen: Set<string>, depth: number): Traced {
  if (found.is === "absent") return { is: "unowned" };
  if (found.is === "pending") return { is: "pending", on: [found.on] };
  if (found.is === "instance") return { is: "owned", by: found.instance, rendered: false };
  return climb(found.object, around, seen, depth + 1);
}

function agreed(results: readonly Traced[]): Traced {
  const pending = results.flatMap((result) => (result.is === "pending" ? result.on : []));
  if (pending.length > 0) return { is: "pending", on: pending };
  const among = new Map(
    results
      .flatMap((result) => (result.is === "owned" ? [result.by] : result.is === "ambiguous" ? result.among : []))
      .map((instance) => [instance.uid, instance]),
  );
  const [by, ...others] = among.values();
  if (by === undefined) return { is: "unowned" };
  return others.length === 0 ? { is: "owned", by, rendered: false } : { is: "ambiguous", among: [by, ...others] };
}
