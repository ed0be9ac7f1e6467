/**
 * What the status of a group is made of, as the stores have it now.
 */
import type { KubeObject } from "../kube/object.ts";
import type { Store } from "../kube/store.ts";
import { baselineOf, danglingOf, effectsOf, type Facts } from "./effect.ts";
import { BY_APPLICATION, BY_GROUP, groupKey, placeOf } from "./indexes.ts";
import { controllerOf } from "./members.ts";
import { applicationKey, type Group, type Reference } from "./names.ts";
import type { Policy } from "./policy.ts";
import type { StatusFacts } from "./status.ts";

/** The tenant's own policies for all pods (tenant.md 3.4): what they allow, no group can add. */
export const BASELINE = ["allow-internal-communication", "allow-external-communication"] as const;

export interface FactStores {
  readonly groups: Store<Group>;
  readonly pods: Store<KubeObject>;
  /** One for each of {@link BASELINE}. */
  readonly baseline: readonly Store<Policy>[];
  /** By `group/Kind`. */
  readonly applications: ReadonlyMap<string, Store<KubeObject>>;
}

export function factsOf(group: Group, stores: FactStores): Omit<StatusFacts, "verdict"> {
  const { groups, pods, baseline } = stores;
  const namespace = placeOf(group);
  const members = pods
    .lookup(BY_GROUP, groupKey(namespace, group.metadata.name))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const known: Facts = {
    baseline: baselineOf(baseline.flatMap((store, at) => store.get(BASELINE[at] ?? "", namespace) ?? [])),
    members: members.length,
    membersOf: (other) =>
      groups.get(other, namespace) === undefined ? undefined : pods.lookup(BY_GROUP, groupKey(namespace, other)).length,
    podsOf: (application) => podsOf(namespace, application, stores),
  };
  return {
    members: members.map((pod) => {
      const owner = controllerOf(pod);
      return { name: pod.metadata.name, ...(owner === undefined ? {} : { owner }) };
    }),
    effects: effectsOf(group, known),
    dangling: danglingOf(group, known),
  };
}

/** An application that has pods exists, whatever serves it. */
function podsOf(namespace: string, application: Reference, { pods, applications }: FactStores): number | undefined {
  const found = pods.lookup(BY_APPLICATION, applicationKey(namespace, application)).length;
  const { apiGroup = "apps.cozystack.io", kind, name } = application;
  const exists = applications.get(`${apiGroup}/${kind}`)?.get(name, namespace) !== undefined;
  return found > 0 || exists ? found : undefined;
}
