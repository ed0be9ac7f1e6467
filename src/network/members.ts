/**
 * Which groups a pod is a member of, and the one write that makes it so. Pure.
 */
import { type AnyKind, apiVersionOf, type KubeObject } from "../kube/object.ts";
import { applicationOf, type Group, MEMBERSHIP, membershipLabel, membershipsIn, type Reference } from "./names.ts";

/** Uid of the owner that controls a pod. */
export function controllerOf({ metadata }: KubeObject): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/** Makers that are remembered; more would be all of a large cluster's. */
const REMEMBERED = 20_000;

/**
 * Which application's pods a maker (StatefulSet, Cluster ...) makes, from those that are labelled: the next one of the same
 * maker need not wait until it is labelled itself.
 */
export class Makers {
  readonly #applications = new Map<string, Reference>();

  /** Takes in a pod that was seen. */
  learn(pod: KubeObject): void {
    const [maker, application] = [controllerOf(pod), applicationOf(pod.metadata.labels)];
    if (maker === undefined || application === undefined) return;
    this.#applications.delete(maker);
    this.#applications.set(maker, application);
    const [oldest] = this.#applications.keys();
    if (this.#applications.size > REMEMBERED && oldest !== undefined) this.#applications.delete(oldest);
  }

  /** The application of a pod: what it says itself, or what its maker's other pods say. */
  applicationOf(pod: KubeObject): Reference | undefined {
    return applicationOf(pod.metadata.labels) ?? this.#applications.get(controllerOf(pod) ?? "");
  }
}

/** Whether a group takes members: not before its finalizer is there, and not while it goes. */
export function takesMembers({ metadata }: Group, finalizer: string): boolean {
  return metadata.deletionTimestamp === undefined && metadata.finalizers?.includes(finalizer) === true;
}

/**
 * The groups of a pod. `attached` are those whose attachments name its application; undefined while that is not known: then
 * the pod keeps what admission gave it for its owner's sake.
 */
export function groupsOf(
  pod: KubeObject,
  attached: readonly Group[] | undefined,
  known: (name: string) => Group | undefined,
): readonly string[] {
  const { labels } = pod.metadata;
  if (attached !== undefined) return attached.map(({ metadata }) => metadata.name).sort();
  const owner = controllerOf(pod);
  return membershipsIn(labels).filter(
    (name) => owner !== undefined && known(name)?.status?.podOwners?.includes(owner) === true,
  );
}

/** How to bring a pod's membership labels to `wanted`. */
export type MembershipWrite =
  /** Server-side apply: all memberships, which then are ours alone. */
  | { readonly is: "apply"; readonly body: KubeObject }
  /** Merge patch: some go, and they may be another manager's, whose labels an apply would leave. */
  | { readonly is: "patch"; readonly patch: object };

/** Undefined when the pod has exactly these. The write is for this very pod. */
export function membershipWrite(
  kind: AnyKind,
  pod: KubeObject,
  wanted: readonly string[],
): MembershipWrite | undefined {
  const { name, namespace, uid, labels } = pod.metadata;
  const have = membershipsIn(labels);
  const stale = have.filter((group) => !wanted.includes(group));
  const missing = wanted.filter((group) => labels?.[`${MEMBERSHIP}${group}`] !== "");
  if (stale.length === 0 && missing.length === 0) return undefined;
  const added: Record<string, string> = Object.assign({}, ...wanted.map(membershipLabel));
  if (stale.length > 0) {
    const removed = Object.fromEntries(stale.map((group) => [`${MEMBERSHIP}${group}`, null]));
    return { is: "patch", patch: { metadata: { uid, labels: { ...added, ...removed } } } };
  }
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    labels: added,
  };
  return { is: "apply", body: { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata } };
}
