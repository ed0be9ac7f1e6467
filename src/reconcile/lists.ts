/**
 * Which lists the API server merges item by item. In kinds of Kubernetes itself these are known by name; lists of
 * other kinds are taken whole, as custom resources do unless they say otherwise. A list wrongly taken whole costs one
 * write more when somebody else adds an item (the apply's answer then holds it); it never loops.
 */
import { isRecord } from "../kube/json.ts";

const KEYS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  Object.entries({
    containers: [["name"]],
    initContainers: [["name"]],
    ephemeralContainers: [["name"]],
    env: [["name"]],
    volumes: [["name"]],
    secrets: [["name"]],
    imagePullSecrets: [["name"]],
    resourceClaims: [["name"]],
    volumeMounts: [["mountPath"]],
    volumeDevices: [["devicePath"]],
    hostAliases: [["ip"]],
    topologySpreadConstraints: [["topologyKey", "whenUnsatisfiable"]],
    ownerReferences: [["uid"]],
    ports: [
      ["containerPort", "protocol"],
      ["port", "protocol"],
    ],
  }),
);

const DEFAULTS: ReadonlyMap<string, string> = new Map([["protocol", "TCP"]]);

/** The groups whose lists the table above describes. */
export function isBuiltIn(group: string): boolean {
  return !group.includes(".") || BUILT_IN.has(group);
}

const BUILT_IN: ReadonlySet<string> = new Set(["rbac.authorization.k8s.io", "networking.k8s.io", "storage.k8s.io"]);

/** Names an item of a keyed list: `name=web`, `port=80,protocol=TCP`. */
export type ItemKey = (item: unknown) => string | undefined;

function keyWith(names: readonly string[]): ItemKey {
  return (item) => {
    if (!isRecord(item)) return undefined;
    const parts: string[] = [];
    for (const name of names) {
      const value = item[name] ?? DEFAULTS.get(name);
      if (typeof value !== "string" && typeof value !== "number") return undefined;
      parts.push(`${name}=${value}`);
    }
    return parts.join(",");
  };
}

/** How items of the list in `field` are told apart; undefined when the list is one value. Unique keys are part of it. */
export function itemKeyOf(group: string, field: string, items: readonly unknown[]): ItemKey | undefined {
  if (!isBuiltIn(group)) return undefined;
  return (KEYS.get(field) ?? []).map(keyWith).find((key) => {
    const keys = items.map(key);
    return !keys.includes(undefined) && new Set(keys).size === keys.length;
  });
}
