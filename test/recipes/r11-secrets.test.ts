/** R11: generated values stay what they are until they are rotated, change once then, and are seen nowhere else. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { TalosConfigTemplate } from "../../src/contracts/bootstrap-cluster-x-k8s-io.ts";
import { Secret } from "../../src/contracts/core.ts";
import { defineKind } from "../../src/kube/define-kind.ts";
import { type AnyKind, type KubeObject, refOf } from "../../src/kube/object.ts";
import { nameOf } from "../../src/reconcile/problem.ts";
import { isReady, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { testContext } from "../support/synthetic-app.ts";
import { moduleOrders, type Order, orders } from "./orders.ts";

const cloud = await startCloud();
const { admin } = cloud;
const Event = defineKind<KubeObject>({ group: "", version: "v1", kind: "Event", plural: "events", namespaced: true });

/** Names of tokens, which come in pairs: what is secret is the other half. */
const notSecret: ReadonlySet<string> = new Set(["bootstrapTokenId"]);

/**
 * Kinds of others that hold secrets in the open, as their operator reads them nowhere else; by kind of the application. Nobody
 * of a tenant may read them.
 */
const open: Readonly<Record<string, { readonly kinds: readonly AnyKind[]; readonly reason: string }>> = {
  Kubernetes: {
    kinds: [TalosConfigTemplate],
    reason:
      "the provider for Talos takes a machine's whole configuration as one text, and knows no reference to a Secret",
  },
};

type Values = ReadonlyMap<string, string>;
interface Secretive {
  readonly order: Order;
  readonly namespace: string;
  readonly secrets: ReadonlyMap<string, readonly string[]>;
}

/** Where the application's generated values are: keys by Secret. What else those Secrets hold, as a user's name, is none. */
function generatedKeys({ app, name, spec }: Order, namespace: string): ReadonlyMap<string, readonly string[]> {
  const { needs } = app.instance({ name, namespace, spec }, testContext);
  return new Map(needs.flatMap((need) => (need.type === "generated" ? [[need.name, keysOf(need.values)]] : [])));
}

const keysOf = (values: object): readonly string[] => Object.keys(values).filter((key) => !notSecret.has(key));

/** Every generated value, as people read it, by `secret/key`. */
async function valuesOf({ namespace, secrets }: Secretive): Promise<Values> {
  const found = new Map<string, string>();
  for (const [name, keys] of secrets) {
    const data = (await admin.get(Secret, name, namespace))?.data ?? {};
    for (const key of keys) found.set(`${name}/${key}`, Buffer.from(data[key] ?? "", "base64").toString());
  }
  return found;
}

/** A value as it is, and as it looks within Base64 wherever it begins. */
function forms(value: string): readonly string[] {
  const encoded = [0, 1, 2].map((shift) => {
    const text = Buffer.from(" ".repeat(shift) + value)
      .toString("base64")
      .replace(/=+$/, "");
    return text.slice(shift === 0 ? 0 : 4, -2);
  });
  return [value, ...encoded];
}

/** Fails where one of the values can be read outside Secrets, or in a Secret of another application. */
async function assertHidden(app: string, namespace: string, values: Values): Promise<void> {
  const events = (await admin.list(Event, { namespace })).items;
  const objects = [...(await cloud.everything(namespace)), ...events];
  const { kinds = [] } = open[app] ?? {};
  const person = cloud.person(namespace);
  for (const kind of kinds) await assert.rejects(person.list(kind, { namespace }), { code: "Forbidden" });
  const mayHold = (kind: string) => kind === "Secret" || kinds.some((one) => one.kind === kind);
  const isOwn = (object: KubeObject) =>
    mayHold(object.kind) && object.metadata.labels?.["apps.cozystack.io/application.kind"] === app;
  const places = objects
    .filter((object) => !isOwn(object))
    .map((object) => [nameOf(refOf(object)), JSON.stringify(object)] as const);
  const metadata = objects
    .filter(isOwn)
    .map((object) => [`metadata of ${nameOf(refOf(object))}`, JSON.stringify(object.metadata)] as const);
  const all = [...places, ...metadata, ["the log", cloud.log.join("\n")] as const];
  for (const [key, value] of values) {
    for (const form of forms(value)) {
      for (const [place, text] of all) assert.ok(!text.includes(form), `${key} can be read in ${place}`);
    }
  }
}

async function touch({ app, name }: Order, namespace: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await cloud.annotate(app, name, namespace, { "example.org/touched": String(time) });
  }
}

const secretive: Secretive[] = [];
const changed = (before: Values, now: Values) => [...before.keys()].filter((key) => before.get(key) !== now.get(key));

test("R11: the kinds that make passwords make them", async () => {
  const all = await Promise.all(
    [...orders, ...moduleOrders].map(async (order) => {
      const namespace = await cloud.tenant(`s${order.app.kind.toLowerCase()}`);
      await cloud.order(order.app, order.name, namespace, order.spec);
      await cloud.ready(order.app, order.name, namespace, 120);
      return { order, namespace, secrets: generatedKeys(order, namespace) };
    }),
  );
  secretive.push(...all.filter(({ secrets }) => secrets.size > 0));
  const kinds = secretive.map(({ order }) => order.app.kind);
  for (const kind of ["Postgres", "Redis", "ClickHouse"]) assert.ok(kinds.includes(kind), `${kind} has a password`);
});

describe("R11: secrets", () => {
  const values = new Map<string, Values>();

  test("are stable over a hundred passes, restarts and an unrelated change, and are seen nowhere else", async () => {
    for (const one of secretive) values.set(one.namespace, await valuesOf(one));
    await Promise.all(secretive.map(({ order, namespace }) => touch(order, namespace, 100)));
    for (let restarts = 0; restarts < 3; restarts += 1) {
      await cloud.stopControllers();
      cloud.startControllers();
      await cloud.rest();
    }
    for (const { order, namespace } of secretive) await cloud.change(order.app, order.name, namespace, order.changed);
    for (const { order, namespace } of secretive) await cloud.ready(order.app, order.name, namespace, 120);
    for (const one of secretive) {
      const { order, namespace } = one;
      const before = values.get(namespace) ?? new Map();
      const now = await valuesOf(one);
      assert.deepEqual(changed(before, now), [], order.app.kind);
      assert.ok(
        [...now.values()].every((value) => value.length >= 12),
        "each is long enough to be looked for",
      );
      await assertHidden(order.app.kind, namespace, now);
    }
  });

  test("change exactly once by a rotation, and no other object of the application shows them", async () => {
    for (const one of secretive) {
      const { order, namespace } = one;
      const { app, name } = order;
      const seen = new Map<string, Set<string>>();
      const note = async () => {
        const now = await valuesOf(one);
        for (const [key, value] of now) seen.set(key, (seen.get(key) ?? new Set()).add(value));
        return now;
      };
      const before = await note();
      await cloud.annotate(app, name, namespace, { "apps.cozystack.io/rotate": "first" });
      await eventually(`${app.kind} has new passwords`, async () => changed(before, await note()).length > 0);
      await touch(order, namespace, 20);
      await eventually(`${app.kind} is ready again`, async () => {
        await note();
        return isReady(await cloud.get(app, name, namespace));
      });

      values.set(namespace, await note());
      const most = Math.max(...[...seen.values()].map((each) => each.size));
      assert.equal(most, 2, `${app.kind}: each value changed once`);
      await assertHidden(app.kind, namespace, before);
    }
    await cloud.stopControllers();
    cloud.startControllers();
    await cloud.rest();
    for (const one of secretive) {
      const { order, namespace } = one;
      const now = await valuesOf(one);
      assert.deepEqual(changed(values.get(namespace) ?? new Map(), now), [], `${order.app.kind}: not again`);
      await assertHidden(order.app.kind, namespace, now);
    }
  });
});
