/**
 * What etcd holds, by resource: every key and value, to the byte.
 */
import { type EtcdSize, openEtcd } from "../embedded/etcd.ts";

/** Sizes by resource: the part of a key after `/registry/`, up to and with the group's plural. */
export async function etcdSizes(socket: string): Promise<ReadonlyMap<string, EtcdSize>> {
  const sizes = new Map<string, EtcdSize>();
  const etcd = openEtcd(socket);
  try {
    for await (const { key, size } of etcd.entries()) {
      const resource = resourceOf(key);
      const known = sizes.get(resource) ?? { keys: 0, bytes: 0 };
      sizes.set(resource, { keys: known.keys + 1, bytes: known.bytes + size });
    }
    return sizes;
  } finally {
    etcd.close();
  }
}

/** All of a map of sizes together. */
export function total(sizes: ReadonlyMap<string, EtcdSize>): EtcdSize {
  const all = [...sizes.values()];
  return {
    keys: all.reduce((sum, { keys }) => sum + keys, 0),
    bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

function resourceOf(key: string): string {
  const [, , first = "", second = ""] = key.split("/");
  return first.includes(".") && first !== "masterleases" ? `${first}/${second}` : first;
}
