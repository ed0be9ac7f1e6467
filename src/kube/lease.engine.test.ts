import assert from "node:assert/strict";
import test, { after } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import { connect } from "./connect.ts";
import { ConfigMap, Lease } from "./core-kinds.ts";
import { isApiError } from "./errors.ts";
import { loadKubeconfig } from "./kubeconfig.ts";
import { fenced, whileLeading } from "./leader.ts";
import {
  type HeldLease,
  heldLease,
  LeaseLostError,
  type LeaseOptions,
  successorAnnotation,
  versionAnnotation,
} from "./lease.ts";
import { compareVersions } from "./version-order.ts";
import { systemWorld } from "./world.ts";

const engine = await testEngine();
const { sleep } = systemWorld;

interface Contender {
  readonly options: LeaseOptions;
  /** Cuts the contender off from the API server, or lets it back. */
  cut(off: boolean): void;
}

function contender(namespace: string, identity: string, version = "1.0.0"): Contender {
  let off = false;
  const client = connect({
    ...loadKubeconfig(engine.kubeconfig),
    fieldManager: "lease-test",
    intercept: () => (off ? { do: "fail", code: "Timeout" } : undefined),
  });
  after(() => client.close());
  return {
    options: { client, namespace, name: "leader", identity, version, durationSeconds: 1, world: systemWorld },
    cut: (to) => {
      off = to;
    },
  };
}

function run(lease: HeldLease): () => Promise<void> {
  const stop = new AbortController();
  const running = lease.run(stop.signal);
  const end = async () => {
    stop.abort();
    await running;
  };
  after(end);
  return end;
}

async function eventually(ok: () => boolean, what: string): Promise<void> {
  for (const end = performance.now() + 10_000; !ok(); await sleep(5)) {
    if (performance.now() > end) throw new Error(`not within 10 s: ${what}`);
  }
}

test("two contenders never hold the lease at once, also when the holder is cut off again and again", async () => {
  const namespace = await engine.namespace("lease");
  const contenders = [contender(namespace, "a"), contender(namespace, "b")] as const;
  const [a, b] = contenders.map((one) => heldLease(one.options));
  assert.ok(a !== undefined && b !== undefined);
  run(a);
  run(b);
  let both = 0;
  const holders = new Set<string>();
  const watching = setInterval(() => {
    if (a.held() && b.held()) both += 1;
    if (a.held()) holders.add("a");
    if (b.held()) holders.add("b");
  }, 2);
  try {
    for (let round = 0; round < 2; round += 1) {
      await eventually(() => a.held() || b.held(), "a holder");
      const [off, other, next] = a.held() ? [contenders[0], a, b] : [contenders[1], b, a];
      const cutAt = performance.now();
      off.cut(true);
      await eventually(() => !other.held(), "the holder stops by its own clock");
      assert.ok(performance.now() - cutAt < 700, "within two thirds of the lease");
      await eventually(() => next.held(), "the other takes over");
      off.cut(false);
    }
  } finally {
    clearInterval(watching);
  }
  assert.deepEqual([both, [...holders].sort()], [0, ["a", "b"]]);
});

test("a released lease is taken at once; the lease says who holds it and which version", async () => {
  const namespace = await engine.namespace("lease");
  const [first, second] = [contender(namespace, "a", "1.2.0"), contender(namespace, "b", "1.2.0")];
  const [a, b] = [heldLease(first.options), heldLease(second.options)];
  const end = run(a);
  await eventually(() => a.held(), "a holds");
  run(b);
  await sleep(300);
  const live = await first.options.client.get(Lease, "leader", namespace);
  assert.equal(live?.spec?.holderIdentity, "a");
  assert.equal(live?.metadata.annotations?.[versionAnnotation], "1.2.0");
  await end();
  assert.ok(!a.held());
  const freed = performance.now();
  await eventually(() => b.held(), "b holds");
  assert.ok(performance.now() - freed < 500);
  const taken = await first.options.client.get(Lease, "leader", namespace);
  assert.equal(taken?.spec?.leaseTransitions, 2);
});

test("a higher version gets the lease, a lower one leaves it alone", async () => {
  const namespace = await engine.namespace("lease");
  const old = heldLease(contender(namespace, "old", "1.9.0").options);
  run(old);
  await eventually(() => old.held(), "the old version holds");
  const fresh = heldLease(contender(namespace, "new", "1.10.0").options);
  run(fresh);
  await eventually(() => fresh.held(), "the new version takes over");
  assert.ok(!old.held());
  await sleep(1500);
  assert.deepEqual([old.held(), fresh.held()], [false, true]);
});

test("a successor that announced itself and never comes does not leave the lease without a holder", async () => {
  const namespace = await engine.namespace("lease");
  const { options } = contender(namespace, "a", "1.0.0");
  await options.client.create(
    Lease,
    Lease("leader", { namespace, annotations: { [successorAnnotation]: "2.0.0" }, spec: { holderIdentity: "" } }),
  );
  const a = heldLease(options);
  run(a);
  await sleep(1200);
  assert.ok(!a.held());
  await eventually(() => a.held(), "it takes the lease after all");
});

test("a leader's work ends with its time; its writes are refused from then on", async () => {
  const namespace = await engine.namespace("lease");
  const one = contender(namespace, "a");
  const stop = new AbortController();
  const terms: string[] = [];
  let refused: unknown;
  const leading = whileLeading(one.options, stop.signal, async ({ signal, lease }) => {
    const client = fenced(engine.client(), "leader", lease.held);
    await client.apply(ConfigMap, ConfigMap(`term-${terms.length}`, { namespace }));
    terms.push("begin");
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    refused = await client.apply(ConfigMap, ConfigMap("late", { namespace })).catch((error: unknown) => error);
    terms.push("end");
  });
  await eventually(() => terms.length === 1, "a term");
  one.cut(true);
  await eventually(() => terms.length === 2, "its end");
  assert.ok(refused instanceof LeaseLostError);
  assert.equal(await engine.client().get(ConfigMap, "late", namespace), undefined);
  one.cut(false);
  await eventually(() => terms.length === 3, "another term");
  stop.abort();
  await leading;
  assert.deepEqual(terms, ["begin", "end", "begin", "end"]);
  const live = await engine.client().get(Lease, "leader", namespace);
  assert.equal(live?.spec?.holderIdentity, "", "released at the end");
});

test("an error of the work ends the leadership and reaches the caller", async () => {
  const namespace = await engine.namespace("lease");
  const { options } = contender(namespace, "a");
  await assert.rejects(
    whileLeading(options, new AbortController().signal, async () => {
      await options.client.get(ConfigMap, "", namespace);
    }),
    (error) => isApiError(error, "BadRequest"),
  );
  const live = await engine.client().get(Lease, "leader", namespace);
  assert.equal(live?.spec?.holderIdentity, "");
});

const versions = [
  { why: "numbers, not text", low: "1.9.0", high: "1.10.0" },
  { why: "a pre-release comes before", low: "v1.6.0-rc.2", high: "1.6.0" },
  { why: "pre-releases by number", low: "1.6.0-rc.2", high: "1.6.0-rc.10" },
  { why: "more parts of a pre-release", low: "1.6.0-rc", high: "1.6.0-rc.1" },
  { why: "a missing number is 0", low: "1.6", high: "1.6.1" },
];
for (const { why, low, high } of versions) {
  test(`versions: ${why}`, () => {
    assert.ok(compareVersions(low, high) < 0);
    assert.ok(compareVersions(high, low) > 0);
    assert.equal(compareVersions(low, low), 0);
  });
}
