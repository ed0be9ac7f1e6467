import assert from "node:assert/strict";
import test, { after } from "node:test";
import fc from "fast-check";
import { testEngine } from "../../test/support/engine.ts";
import { connect } from "./connect.ts";
import { Lease } from "./core-kinds.ts";
import { loadKubeconfig } from "./kubeconfig.ts";
import { ownerAmong } from "./rendezvous.ts";
import { type Shard, shard, shardGroupLabel } from "./shards.ts";
import { systemWorld } from "./world.ts";

const engine = await testEngine();
const { sleep } = systemWorld;
const keys = Array.from({ length: 40 }, (_, index) => `tenant-${index}`);

function member(namespace: string, identity: string, version = "1.0.0") {
  let off = false;
  const client = connect({
    ...loadKubeconfig(engine.kubeconfig),
    fieldManager: "shard-test",
    // A code that is not retried: after the cut the lease is renewed first, and only then the members are looked at.
    intercept: () => (off ? { do: "fail", code: "Forbidden" } : undefined),
  });
  after(() => client.close());
  const made = shard({ client, namespace, group: "work", identity, version, durationSeconds: 1, world: systemWorld });
  const stop = new AbortController();
  const running = made.run(stop.signal);
  const end = async () => {
    stop.abort();
    await running;
  };
  after(end);
  return {
    shard: made,
    end,
    cut: (to: boolean) => {
      off = to;
    },
  };
}

const owned = (one: Shard): readonly string[] => keys.filter((key) => one.owns(key));

async function eventually(ok: () => boolean, what: string): Promise<void> {
  for (const limit = performance.now() + 10_000; !ok(); await sleep(10)) {
    if (performance.now() > limit) throw new Error(`not within 10 s: ${what}`);
  }
}

test("no key has two owners while members come, are cut off, return and go; in the end every key has one", async () => {
  const namespace = await engine.namespace("shards");
  const a = member(namespace, "a");
  const all = [a.shard];
  let twice = 0;
  const watching = setInterval(() => {
    for (const key of keys) if (all.filter((one) => one.owns(key)).length > 1) twice += 1;
  }, 5);
  try {
    const began = performance.now();
    await eventually(() => owned(a.shard).length === keys.length, "alone, a has all keys");
    assert.ok(performance.now() - began < 900, "at once, where nobody was before");
    const b = member(namespace, "b");
    all.push(b.shard);
    await eventually(
      () => owned(a.shard).length + owned(b.shard).length === keys.length && owned(b.shard).length > 5,
      "shared",
    );
    a.cut(true);
    await eventually(() => owned(a.shard).length === 0, "cut off, a stops");
    await eventually(() => owned(b.shard).length === keys.length, "b has all keys");
    a.cut(false);
    await eventually(
      () => owned(a.shard).length > 5 && owned(a.shard).length + owned(b.shard).length === keys.length,
      "shared again",
    );
    await b.end();
    await eventually(() => owned(a.shard).length === keys.length, "a has all keys again");
    const { items } = await engine.client().list(Lease, { namespace, labelSelector: `${shardGroupLabel}=work` });
    assert.deepEqual(
      items.map((one) => one.spec?.holderIdentity),
      ["a"],
    );
  } finally {
    clearInterval(watching);
  }
  assert.equal(twice, 0);
});

test("only the highest version takes work", async () => {
  const namespace = await engine.namespace("shards");
  const old = member(namespace, "old", "1.6.0");
  await eventually(() => owned(old.shard).length === keys.length, "the old version has all keys");
  const fresh = member(namespace, "new", "1.7.0-rc.1");
  await eventually(() => owned(fresh.shard).length === keys.length, "the new version has all keys");
  assert.deepEqual([owned(old.shard), old.shard.members()], [[], ["new"]]);
});

test("a key changes hands only with a member that comes or goes", () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(names, fc.string({ minLength: 7, maxLength: 8 }), fc.string(), (members, newcomer, key) => {
      const before = ownerAmong(members, key);
      const after = ownerAmong([...members, newcomer], key);
      assert.ok(after === before || after === newcomer);
      assert.equal(ownerAmong([...members].reverse(), key), before);
    }),
  );
  assert.equal(ownerAmong([], "k"), undefined);
});

test("keys are spread evenly", () => {
  const counts = new Map<string, number>();
  for (let index = 0; index < 3000; index += 1) {
    const owner = ownerAmong(["a", "b", "c"], `tenant-${index}`) ?? "";
    counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  for (const count of counts.values()) assert.ok(count > 900 && count < 1100, String(count));
});
