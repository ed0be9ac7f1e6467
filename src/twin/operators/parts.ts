/**
 * Parts that several players make.
 */

import { type PodObject, Secret } from "../../contracts/core.ts";
import type { Container, PodSpec } from "../../contracts/pod.ts";
import type { KubeObject, OwnerReference } from "../../kube/object.ts";
import { base64 } from "../../kube/secret-text.ts";
import type { Scene } from "../player.ts";

/** What the twin runs where the real operator's image and command do not matter. */
export function container(name: string, image: string | undefined, rest: Partial<Container> = {}): Container {
  return { name, image: image ?? "twin.invalid/simulated", ...rest };
}

/** A pod spec that needs no service account token and ends at once. */
export function podSpec(containers: readonly Container[], rest: Partial<PodSpec> = {}): PodSpec {
  return { containers, automountServiceAccountToken: false, terminationGracePeriodSeconds: 0, ...rest };
}

/** Whether a pod has condition Ready and is not being deleted. */
export function isReady(pod: PodObject): boolean {
  return (
    pod.metadata.deletionTimestamp === undefined &&
    (pod.status?.conditions ?? []).some((condition) => condition.type === "Ready" && condition.status === "True")
  );
}

/** `0, 1, ... count - 1`. */
export function upTo(count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index);
}

/** A condition as operators report them. */
interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
}

/** What of a condition reported before is read here. Operators differ in the rest. */
interface Reported {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
}

/**
 * A condition of type `type`, true or false, with the time at which it became so: that of `before`, the conditions reported
 * last, where one of them says the same already.
 */
export function conditionOf(
  type: string,
  holds: boolean,
  { reason, message = "" }: { readonly reason: string; readonly message?: string },
  before: readonly Reported[] | undefined,
  scene: Pick<Scene, "now">,
): Condition {
  const status = holds ? "True" : "False";
  const same = before?.find((one) => one.type === type && one.status === status);
  return { type, status, reason, message, lastTransitionTime: same?.lastTransitionTime ?? scene.now() };
}

/** An owner reference to `owner`, for objects that the stage does not make itself. */
export function ownedBy(owner: KubeObject): OwnerReference {
  const { name, uid = "" } = owner.metadata;
  return { apiVersion: owner.apiVersion, kind: owner.kind, name, uid, controller: true, blockOwnerDeletion: false };
}

interface MadeOnce {
  readonly namespace: string | undefined;
  readonly labels?: Readonly<Record<string, string>>;
  /** Default `Opaque`. */
  readonly type?: string;
}

/**
 * A Secret that an operator makes once: one that is there already, as it may be from a former object of the name, keeps its
 * values. The player reads Secrets. `data`: texts.
 */
export function madeOnce(
  name: string,
  data: Readonly<Record<string, string>>,
  { namespace, labels = {}, type = "Opaque" }: MadeOnce,
  scene: Pick<Scene, "find">,
): KubeObject {
  const fresh = Object.entries(data).map(([key, value]) => [key, base64(value)] as const);
  const live = scene.find(Secret, name, namespace)?.data;
  return Secret(name, { labels, type, data: live === undefined ? Object.fromEntries(fresh) : { ...live } });
}
