/**
 * Failures on request: the ConfigMap `twin` in `cozy-system` says which objects misbehave, `<Kind>.<namespace>.<name>` to
 * `neverReady`, `slow` or `refuses`. A key ending in `.-` means every object of that kind in the namespace.
 */
import type { ConfigMap } from "../contracts/core.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Behaviour } from "./player.ts";

export const behavioursName = "twin";
export const behavioursNamespace = "cozy-system";

const known: ReadonlySet<string> = new Set(["neverReady", "slow", "refuses"]);

function isBehaviour(text: string | undefined): text is Behaviour {
  return text !== undefined && known.has(text);
}

/** How `object` is to be played. */
export function behaviourOf(requests: ReturnType<typeof ConfigMap> | undefined, object: KubeObject): Behaviour {
  const data = requests?.data ?? {};
  const place = `${object.kind}.${object.metadata.namespace ?? ""}`;
  const text = data[`${place}.${object.metadata.name}`] ?? data[`${place}.-`];
  return isBehaviour(text) ? text : "normal";
}
