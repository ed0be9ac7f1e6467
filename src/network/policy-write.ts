/**
 * Keeps the policy of a group as it is to be, and says how it fares.
 */
import { CiliumNetworkPolicy } from "../contracts/cilium-io.ts";
import type { Client } from "../kube/client.ts";
import type { Store } from "../kube/store.ts";
import type { World } from "../kube/world.ts";
import { differences } from "../reconcile/diff.ts";
import type { Fights } from "../reconcile/fights.ts";
import { type Group, MARKER, networkManager } from "./names.ts";
import { type Policy, PROJECTED, policyOf } from "./policy.ts";
import type { Verdict } from "./status.ts";

/** Whether the policy there says something else than it should, or something that it should no longer say. */
export function isOutdated(wanted: Policy, live: Policy): boolean {
  return digestOn(wanted) !== digestOn(live) || differences(wanted, live).length > 0;
}

const digestOn = ({ metadata }: Policy): string => metadata.annotations?.[PROJECTED] ?? "";

export interface PolicyOptions {
  readonly client: Client;
  readonly world: World;
  /** Those with the marker. One without it is somebody else's and is never touched. */
  readonly policies: Store<Policy>;
  readonly fights: Fights;
}

export async function keepPolicy(group: Group, options: PolicyOptions): Promise<Verdict> {
  const { client, world, policies, fights } = options;
  if (policies.state.is === "unserved") {
    const message = "this cluster has no Cilium policies: nothing of the group takes effect until it has";
    return { status: "False", reason: "CiliumMissing", message };
  }
  const { name, namespace, uid = "" } = group.metadata;
  const live = policies.get(name, namespace) ?? (await client.get(CiliumNetworkPolicy, name, namespace));
  if (live !== undefined && live.metadata.labels?.[MARKER] !== "true") {
    const message = `a network policy ${name} that is no SecurityGroup's exists already; choose another name`;
    return { status: "False", reason: "PolicyNameTaken", message };
  }
  const wanted = policyOf(group);
  if (live !== undefined && !isOutdated(wanted, live)) return verdictOf(live);
  const digest = digestOn(wanted);
  if (!fights.mayCorrect(uid, digest, world.now())) {
    const message = `somebody changes network policy ${name} back each time; it is left as it is for a while`;
    return { status: "False", reason: "FightingOver", message };
  }
  const applied = await client.apply(CiliumNetworkPolicy, wanted, { fieldManager: networkManager });
  fights.corrected(uid, digest, world.now());
  policies.assume(applied);
  return verdictOf(applied);
}

/** By what Cilium says of a policy that it has looked at. */
function verdictOf({ metadata, status }: Policy): Verdict {
  const refused = status?.conditions?.find((one) => one.type === "Valid" && one.status === "False");
  if (refused === undefined) {
    return { status: "True", reason: "PolicyApplied", message: `network policy ${metadata.name} is in place` };
  }
  const message = `Cilium refuses the policy: ${refused.message ?? refused.reason ?? "no reason given"}`;
  return { status: "False", reason: "PolicyRefused", message };
}
