/**
 * Watches a namespace through a whole run: no generated value may change, no steady object may be made anew.
 */
import { ConfigMap, Secret, Service } from "../../src/contracts/core.ts";
import type { Client } from "../../src/kube/client.ts";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { AnyKind, KubeObject } from "../../src/kube/object.ts";
import { openStores } from "../../src/kube/stores.ts";
import type { Scenario } from "./scenario.ts";

export interface Witness {
  /** What was seen that must not be, as lines for people. */
  complaints(): readonly string[];
}

/** Begins to watch; ends with the signal. */
export async function witness(
  client: Client,
  namespace: string,
  scenario: Scenario,
  signal: AbortSignal,
): Promise<Witness> {
  const stores = openStores({ client, signal });
  const values = new Map<string, Set<string>>();
  const uids = new Map<string, Set<string>>();
  const remember = (map: Map<string, Set<string>>, key: string, value: string): void => {
    const seen = map.get(key) ?? new Set();
    map.set(key, seen.add(value));
  };
  const see = (object: KubeObject): void => {
    const { name, uid = "" } = object.metadata;
    remember(uids, `${object.kind} ${name}`, uid);
    const data = object.kind === "Secret" ? valueAt(object, "data") : undefined;
    for (const [key, value] of Object.entries(isRecord(data) ? data : {}))
      remember(values, `${name}/${key}`, String(value));
  };
  const kinds: readonly AnyKind[] = [Secret, ConfigMap, Service];
  const used = kinds.map((kind) => stores.use<KubeObject>(kind, { namespace }).store);
  for (const store of used) store.subscribe(({ object }) => see(object));
  await Promise.all(used.map((store) => store.ready(signal)));
  const allowed = new Set(scenario.rotated ?? []);
  return {
    complaints: () => [
      ...[...values].flatMap(([place, seen]) => {
        const most = allowed.has(place) ? 2 : 1;
        return seen.size > most ? [`Secret ${place} had ${seen.size} values`] : [];
      }),
      ...scenario.steady.flatMap((name) => {
        const times = uids.get(name)?.size ?? 0;
        return times > 1 ? [`${name} was made ${times} times`] : [];
      }),
    ],
  };
}
