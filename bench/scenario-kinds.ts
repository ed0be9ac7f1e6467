/**
 * Some of each of the first eight applications, ordered where no operator answers: writes for every object that they own.
 */
import { kindByGroupKind } from "../src/contracts/index.ts";
import { Inventory } from "../src/contracts/internal-cozystack-io.ts";
import { groupOf } from "../src/kube/object.ts";
import { furniture } from "../src/twin/furniture.ts";
import { countsSince } from "./children.ts";
import type { BenchOptions, Figure } from "./figure.ts";
import { appKind, type Lab, openLab, quiet } from "./lab.ts";

const OF_EACH = 3;

/** A Tenant brings its Info along. */
const orders: readonly (readonly [kind: string, spec: (name: string) => object])[] = [
  ["Tenant", () => ({})],
  ["Postgres", () => ({})],
  ["Redis", () => ({})],
  ["ClickHouse", () => ({})],
  ["Bucket", () => ({ users: { writer: {} } })],
  ["VMDisk", () => ({ source: { image: { name: "ubuntu-24.04" } }, storage: "5Gi" })],
  ["VMInstance", (name) => ({ instanceType: "u1.small", instanceProfile: "ubuntu", disks: [{ name }] })],
];

/** Objects that inventories list. Nobody refuses any here: all of them exist. */
async function ownedObjects({ client }: Lab): Promise<number> {
  const { items } = await client.list(Inventory);
  const entries = items.flatMap(({ spec }) => spec?.entries ?? []);
  return entries.length;
}

export async function run({ quick, log }: BenchOptions): Promise<readonly Figure[]> {
  const lab = await openLab({ log });
  try {
    for (const object of furniture) {
      const kind = kindByGroupKind(groupOf(object.apiVersion), object.kind);
      if (kind !== undefined) await lab.client.apply(kind, object);
    }
    // The first of each kind opens its stores and is not counted.
    await orderAll(lab, "first", 1);
    const [before, owned] = [await lab.controllers.counts(), await ownedObjects(lab)];
    await orderAll(lab, "more", quick ? 1 : OF_EACH);
    const { writes, reads, requests } = countsSince(before, await lab.controllers.counts());
    const objects = (await ownedObjects(lab)) - owned;
    const made = requests["create Inventory"] ?? 0;
    log(JSON.stringify(requests));
    return [
      { name: "(f) objects of eight kinds", value: objects, unit: "objects" },
      { name: "(f) writes of eight kinds", value: writes / objects, unit: "/object", target: { atMost: 1.5 } },
      { name: "(f) writes of eight kinds, inventories counted", value: writes / (objects + made), unit: "/object" },
      { name: "(j) reads of eight kinds", value: reads / objects, unit: "/object" },
    ];
  } finally {
    await lab.close();
  }
}

async function orderAll({ client, namespace, controllers }: Lab, prefix: string, count: number): Promise<void> {
  for (const [kind, specOf] of orders) {
    for (let index = 0; index < count; index += 1) {
      const name = `${prefix}${index}`;
      const metadata = { name, namespace };
      const served = appKind(kind);
      await client.create(served, {
        apiVersion: "apps.cozystack.io/v1alpha1",
        kind,
        metadata,
        ...{ spec: specOf(name) },
      });
    }
  }
  await quiet(controllers);
}
