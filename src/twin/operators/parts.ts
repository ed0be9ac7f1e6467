/**
 * Parts that several players make.
 */

import type { PodObject } from "../../contracts/core.ts";
import type { Container, PodSpec } from "../../contracts/pod.ts";

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

/** Text as base64, the form of a Secret's `data`. */
export function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** `0, 1, ... count - 1`. */
export function upTo(count: number): number[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => index);
}
