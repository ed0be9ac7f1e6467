import assert from "node:assert/strict";
import test, { after } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import type { Client } from "./client.ts";
import { type ConnectOptions, connect } from "./connect.ts";
import { ConfigMap, CustomResourceDefinition } from "./core-kinds.ts";
import { defineKind } from "./define-kind.ts";
import { informer } from "./informer.ts";
import { loadKubeconfig } from "./kubeconfig.ts";
import type { KubeObject } from "./object.ts";
import type { InterceptEvent } from "./request.ts";
import type { Store } from "./store.ts";
import { openStores } from "./stores.ts";
import { systemWorld, type World } from "./world.ts";

const engine = await testEngine();
const writer = engine.client();

function client(options: Partial<ConnectOptions> = {}): Client {
  const made = connect({ ...loadKubeconfig(engine.kubeconfig), fieldManager: "store-test", ...options });
  after(() => made.close());
  return made;
}

/** Waits until `ok`, looked at again after every change of the store. */
async function until<T extends KubeObject>(store: Store<T>, ok: () => boolean, what: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    if (ok()) resolve();
  };
  const stops = [store.subscribe(look), store.onState(look)];
  // An API server under load takes its time with a definition, which controllers of its own establish and finalize.
  const timer = setTimeout(() => reject(new Error(`not within 90 s: ${what}; ${JSON.stringify(store.state)}`)), 90_000);
  look();
  await promise.finally(() => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  });
}

function following(
  options: Partial<ConnectOptions>,
  namespace: string,
  more: { trim?: (o: ConfigMap) => ConfigMap } = {},
) {
  const stop = new AbortController();
  const errors: unknown[] = [];
  const made = informer({
    client: client(options),
    kind: ConfigMap,
    namespace,
    world: { ...systemWorld, sleep: (ms, signal) => systemWorld.sleep(Math.min(ms, 20), signal) },
    onError: (error) => errors.push(error),
    ...more,
  });
  const running = made.run(stop.signal);
  after(async () => {
    stop.abort();
    await running;
  });
  return { store: made.store, errors };
}

const data = (store: Store<ConfigMap>) =>
  new Map(store.list().map((object) => [object.metadata.name, object.data?.["v"]] as const));

/** A few dozen writes of every sort; resolves to what must be there in the end. */
async function churn(namespace: string): Promise<ReadonlyMap<string, string | undefined>> {
  for (let round = 0; round < 30; round += 1) {
    const name = `c${round % 7}`;
    if (round % 5 === 4) await writer.delete(ConfigMap, name, namespace);
    else await writer.apply(ConfigMap, ConfigMap(name, { namespace, data: { v: String(round) } }));
  }
  const { items } = await writer.list(ConfigMap, { namespace });
  return new Map(items.map((object) => [object.metadata.name, object.data?.["v"]] as const));
}

const disturbances: readonly { why: string; make: () => InterceptEvent }[] = [
  { why: "nothing", make: () => () => "pass" },
  {
    // Initial states have up to nine events: one disconnected before each third would never be complete.
    why: "a watch disconnected before every eleventh event",
    make: () => {
      let count = 0;
      return () => (++count % 11 === 0 ? "disconnect" : "pass");
    },
  },
  {
    why: "a resume point that is gone again and again (410)",
    make: () => {
      let count = 0;
      return ({ type }) => (type !== "synced" && ++count % 17 === 0 ? "expire" : "pass");
    },
  },
];

for (const { why, make } of disturbances) {
  test(`a store equals the list of the server after ${why}`, async () => {
    const namespace = await engine.namespace("store");
    const { store } = following({ interceptEvent: make() }, namespace);
    const expected = await churn(namespace);
    const equal = () => store.state.is === "synced" && same(data(store), expected);
    await until(store, equal, "the store equals the list");
  });
}

function same(a: ReadonlyMap<string, string | undefined>, b: ReadonlyMap<string, string | undefined>): boolean {
  const without = (map: ReadonlyMap<string, string | undefined>) =>
    JSON.stringify([...map].filter(([name]) => name !== "kube-root-ca.crt").sort());
  return without(a) === without(b);
}

test("objects deleted while the watch was away are told as deleted after a 410", async () => {
  const namespace = await engine.namespace("store");
  await writer.apply(ConfigMap, ConfigMap("gone", { namespace, data: { v: "1" } }));
  let away = false;
  const { store } = following(
    {
      intercept: (request) => (away && request.verb === "watch" ? { do: "fail" } : undefined),
      interceptEvent: () => (away ? "expire" : "pass"),
    },
    namespace,
  );
  await until(store, () => store.hasSynced && store.get("gone", namespace) !== undefined, "first sync");
  const deleted: string[] = [];
  store.subscribe((change) => {
    if (change.type === "deleted") deleted.push(change.object.metadata.name);
  });
  away = true;
  await writer.apply(ConfigMap, ConfigMap("poke", { namespace, data: { v: "1" } }));
  await until(store, () => store.state.is === "synced" && store.state.problem !== undefined, "the interruption shows");
  await writer.delete(ConfigMap, "gone", namespace);
  away = false;
  await until(store, () => store.get("poke", namespace) !== undefined, "current again");
  assert.deepEqual(deleted, ["gone"]);
  assert.deepEqual(store.state, { is: "synced" });
});

test("managed fields are dropped, and what trim drops", async () => {
  const namespace = await engine.namespace("store");
  await writer.apply(ConfigMap, ConfigMap("a", { namespace, data: { v: "1" } }));
  const trim = ({ data: _, ...rest }: ConfigMap): ConfigMap => rest;
  const { store } = following({}, namespace, { trim });
  await until(store, () => store.hasSynced, "sync");
  const held = store.get("a", namespace);
  assert.deepEqual([held?.metadata.managedFields, held?.data, held?.kind], [undefined, undefined, "ConfigMap"]);
});

test("our own write is in the store before its event, and is not undone by older events", async () => {
  const namespace = await engine.namespace("store");
  const slow = client();
  const { store } = following({}, namespace);
  await until(store, () => store.hasSynced, "sync");
  const versions: string[] = [];
  store.subscribe(({ object }) => {
    if (object.metadata.name === "mine") versions.push(object.data?.["v"] ?? "");
  });
  for (let round = 0; round < 20; round += 1) {
    store.assume(
      await slow.apply(ConfigMap, ConfigMap("mine", { namespace, data: { v: String(round).padStart(2, "0") } })),
    );
    assert.equal(store.get("mine", namespace)?.data?.["v"], String(round).padStart(2, "0"));
  }
  assert.deepEqual(versions, [...versions].sort());
});

test("without permission the store is failing and says why", async () => {
  const namespace = await engine.namespace("store");
  const stores = openStores({ client: writer.as({ user: "nobody" }), signal: stopped(), world: systemWorld });
  const { store } = stores.use(ConfigMap, { namespace });
  await until(store, () => store.state.is === "failing", "failing");
  assert.throws(() => store.get("a", namespace), /forbidden/);
});

function stopped(): AbortSignal {
  const stop = new AbortController();
  after(() => stop.abort());
  return stop.signal;
}

test("users of the same part of a kind share one watch, which ends with its last user", async () => {
  const namespace = await engine.namespace("store");
  const shared = client();
  const stores = openStores({ client: shared, signal: stopped() });
  const [one, two] = [stores.use(ConfigMap, { namespace }), stores.use(ConfigMap, { namespace })];
  const metadata = stores.useMetadata(ConfigMap, { namespace });
  assert.equal(one.store, two.store);
  await Promise.all([one.store.ready(), metadata.store.ready()]);
  assert.deepEqual(shared.counters.byVerb(), { watch: 2 });
  await writer.apply(ConfigMap, ConfigMap("a", { namespace, data: { v: "1" } }));
  await until(metadata.store, () => metadata.store.get("a", namespace) !== undefined, "metadata");
  assert.deepEqual(Object.keys(metadata.store.get("a", namespace) ?? {}), ["apiVersion", "kind", "metadata"]);
  one.release();
  one.release();
  assert.equal(stores.running().length, 2);
  two.release();
  assert.equal(stores.running().length, 1);
});

interface Gadget extends KubeObject {
  readonly spec?: { readonly size?: number };
}

test("a kind that is not served is no error; its store starts when the definition comes, empties when it goes", async () => {
  const group = `g${Date.now()}.example.org`;
  const Gadget = defineKind<Gadget>({ group, version: "v1", kind: "Gadget", plural: "gadgets", namespaced: false });
  // How long it waits between two tries is judged without an API server (stores.test.ts).
  const world: World = { ...systemWorld, sleep: (ms, signal) => systemWorld.sleep(Math.min(ms, 100), signal) };
  const stores = openStores({ client: client(), signal: stopped(), world });
  const { store } = stores.use(Gadget);
  await store.ready();
  assert.deepEqual([store.state, store.list()], [{ is: "unserved" }, []]);

  const name = `gadgets.${group}`;
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true } as const;
  await writer.apply(
    CustomResourceDefinition,
    CustomResourceDefinition(name, {
      spec: {
        group,
        scope: "Cluster",
        names: { kind: "Gadget", plural: "gadgets", singular: "gadget" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema } }],
      },
    }),
  );
  await until(store, () => store.state.is === "synced", "served");
  await writer.apply(Gadget, Gadget("one", { spec: { size: 1 } }));
  await until(store, () => store.size === 1, "the object arrives");
  await writer.delete(CustomResourceDefinition, name);
  await until(store, () => store.size === 0, "its objects go");
  await until(store, () => store.state.is === "unserved", "unserved again");
});
