import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { ConfigMap } from "./core-kinds.ts";
import { IndexError } from "./object-index.ts";
import { compareResourceVersions } from "./resource-version.ts";
import { matchesLabels, selectorText } from "./selector.ts";
import { type Change, StoreNotReadyError, storeFeed } from "./store.ts";

function at(name: string, version: number, more: { labels?: Record<string, string>; owner?: string; v?: string } = {}) {
  return ConfigMap(name, {
    namespace: "ns",
    metadata: {
      resourceVersion: String(version),
      ...(more.owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", uid: more.owner }] }),
    },
    ...(more.labels === undefined ? {} : { labels: more.labels }),
    data: { v: more.v ?? String(version) },
  });
}

function feedWith(...objects: readonly ConfigMap[]) {
  const errors: unknown[] = [];
  const feed = storeFeed<ConfigMap>({
    kind: ConfigMap,
    trim: (object) => object,
    accepts: () => true,
    onError: (error) => errors.push(error),
  });
  const changes: string[] = [];
  feed.store.subscribe((change: Change<ConfigMap>) => {
    changes.push(`${change.type} ${change.object.metadata.name}@${change.object.metadata.resourceVersion}`);
  });
  if (objects.length > 0) feed.replace(objects, "100");
  return { feed, store: feed.store, changes, errors };
}

test("before the first complete state a read throws, it does not say that nothing is there", () => {
  const { feed, store } = feedWith();
  feed.event("added", at("a", 1));
  assert.throws(() => store.get("a", "ns"), StoreNotReadyError);
  assert.throws(() => store.list(), StoreNotReadyError);
  assert.throws(() => store.ownedBy("u"), StoreNotReadyError);
  feed.setState({ is: "failing", problem: new Error("forbidden") });
  assert.throws(() => store.get("a", "ns"), /forbidden/);
  feed.replace([], "2");
  assert.equal(store.get("a", "ns"), undefined);
});

test("ready waits for the state, and ends with its signal", async () => {
  const { feed, store } = feedWith();
  const abort = new AbortController();
  const given = store.ready(abort.signal);
  abort.abort(new Error("enough"));
  await assert.rejects(given, /enough/);
  const ready = store.ready();
  feed.setState({ is: "unserved" });
  await ready;
});

test("events change what is there; a later subscriber hears of all of it first", () => {
  const { feed, store, changes } = feedWith(at("a", 1), at("b", 2));
  feed.event("modified", at("a", 101));
  feed.event("deleted", at("b", 102));
  feed.event("added", at("c", 103));
  assert.deepEqual(changes, ["added a@1", "added b@2", "modified a@101", "deleted b@2", "added c@103"]);
  assert.equal(store.resourceVersion, "103");
  const late: string[] = [];
  const stop = store.subscribe(({ object }) => late.push(object.metadata.name));
  stop();
  feed.event("added", at("d", 104));
  assert.deepEqual(late, ["a", "c"]);
});

const assumptions: readonly { why: string; run: (f: ReturnType<typeof feedWith>) => void; a: string | undefined }[] = [
  { why: "the answer of a write is there at once", run: ({ store }) => store.assume(at("a", 110)), a: "110" },
  {
    why: "an event older than what was assumed is skipped",
    run: ({ store, feed }) => {
      store.assume(at("a", 110));
      feed.event("modified", at("a", 105));
    },
    a: "110",
  },
  {
    why: "a newer event wins",
    run: ({ store, feed }) => {
      store.assume(at("a", 110));
      feed.event("modified", at("a", 111));
    },
    a: "111",
  },
  {
    why: "an answer that comes after the deletion does not bring the object back",
    run: ({ store, feed }) => {
      feed.event("deleted", at("a", 120));
      store.assume(at("a", 110));
    },
    a: undefined,
  },
  {
    why: "the deletion of a predecessor does not take the successor",
    run: ({ store, feed }) => {
      store.assume(at("a", 130));
      feed.event("deleted", at("a", 120));
    },
    a: "130",
  },
  {
    why: "a full list does not drop what was assumed since",
    run: ({ store, feed }) => {
      store.assume(at("a", 130));
      feed.replace([], "125");
    },
    a: "130",
  },
  {
    why: "a full list drops what it does not have",
    run: ({ feed }) => feed.replace([], "125"),
    a: undefined,
  },
  {
    why: "a cluster restored from a backup has older versions, and they count",
    run: ({ feed }) => feed.replace([at("a", 40)], "50"),
    a: "40",
  },
];

for (const { why, run, a } of assumptions) {
  test(`assume: ${why}`, () => {
    const f = feedWith(at("a", 90));
    run(f);
    assert.equal(f.store.get("a", "ns")?.metadata.resourceVersion, a);
  });
}

test("the watch's echo of an assumed object is no second change", () => {
  const { feed, store, changes } = feedWith(at("a", 90));
  store.assume(at("a", 110));
  feed.event("modified", at("a", 110));
  assert.deepEqual(changes.slice(1), ["modified a@110"]);
});

test("whatever is assumed in whatever order, the store follows the server's history", () => {
  // A history of one object: at each version it is there or deleted. The watch tells all of it in order; answers of
  // writes (versions at which it is there) are assumed at any time.
  const history = fc.array(fc.boolean(), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(history, fc.array(fc.tuple(fc.nat(12), fc.nat(11)), { maxLength: 12 }), (alive, assumed) => {
      const { feed, store } = feedWith(at("other", 1));
      let known = false;
      for (let step = 0; step <= alive.length; step += 1) {
        for (const [when, which] of assumed) {
          if (when === step && alive[which] === true) store.assume(at("a", 101 + which));
        }
        const version = Number(store.get("a", "ns")?.metadata.resourceVersion ?? 0);
        const now = step < alive.length ? alive[step] : undefined;
        if (now === true) feed.event(known ? "modified" : "added", at("a", 101 + step));
        else if (now === false && known) feed.event("deleted", at("a", 101 + step));
        if (now === true) known = true;
        if (now === false) known = false;
        const after = Number(store.get("a", "ns")?.metadata.resourceVersion ?? 0);
        assert.ok(after === 0 || after >= version, "went backwards");
      }
      // A last bookmark-like event: a deletion at the end was told, so nothing assumed before may stand.
      const last = alive.lastIndexOf(true);
      const expected = alive.at(-1) === true ? String(101 + last) : undefined;
      assert.equal(store.get("a", "ns")?.metadata.resourceVersion, expected);
    }),
  );
});

test("indexes follow changes, by owner, and by functions defined before or after", () => {
  const { feed, store } = feedWith(
    at("a", 1, { owner: "u1", labels: { app: "x" } }),
    at("b", 2, { labels: { app: "x" } }),
  );
  const byApp = (object: ConfigMap) => [object.metadata.labels?.["app"] ?? ""];
  store.addIndex("app", byApp);
  store.addIndex("app", byApp);
  assert.throws(() => store.addIndex("app", () => []), IndexError);
  assert.throws(() => store.lookup("other", "x"), IndexError);
  const names = (objects: readonly ConfigMap[]) => objects.map((object) => object.metadata.name).sort();
  assert.deepEqual(names(store.lookup("app", "x")), ["a", "b"]);
  feed.event("modified", at("a", 101, { owner: "u2", labels: { app: "y" } }));
  feed.event("deleted", at("b", 102));
  assert.deepEqual([names(store.lookup("app", "x")), names(store.lookup("app", "y"))], [[], ["a"]]);
  assert.deepEqual([names(store.ownedBy("u1")), names(store.ownedBy("u2"))], [[], ["a"]]);
  assert.deepEqual([names(store.list("ns")), store.list("other").length, store.size], [["a"], 0, 1]);
});

test("a handler that throws is reported and keeps nobody from hearing", () => {
  const { feed, store, changes, errors } = feedWith(at("a", 1));
  store.subscribe(() => {
    throw new Error("handler");
  });
  feed.event("modified", at("a", 101));
  assert.equal(errors.length, 2);
  assert.equal(changes.at(-1), "modified a@101");
});

const versions = [
  { why: "longer than a number is exact", a: "9007199254740993", b: "9007199254740992", sign: 1 },
  { why: "by value, not by text", a: "9", b: "10", sign: -1 },
  { why: "equal", a: "7", b: "7", sign: 0 },
  { why: "another form has no order", a: "7.1", b: "8", sign: Number.NaN },
];
for (const { why, a, b, sign } of versions) {
  test(`resource versions: ${why}`, () => assert.equal(Math.sign(compareResourceVersions(a, b) ?? Number.NaN), sign));
}

const selectors = [
  { why: "empty matches everything", selector: {}, labels: {}, ok: true },
  { why: "all of matchLabels", selector: { matchLabels: { a: "1", b: "2" } }, labels: { a: "1" }, ok: false },
  {
    why: "NotIn holds for an absent label",
    selector: { matchExpressions: [{ key: "a", operator: "NotIn", values: ["1"] }] },
    labels: {},
    ok: true,
  },
  {
    why: "In does not",
    selector: { matchExpressions: [{ key: "a", operator: "In", values: ["1"] }] },
    labels: {},
    ok: false,
  },
  { why: "Exists", selector: { matchExpressions: [{ key: "a", operator: "Exists" }] }, labels: { a: "" }, ok: true },
  {
    why: "DoesNotExist",
    selector: { matchExpressions: [{ key: "a", operator: "DoesNotExist" }] },
    labels: { a: "" },
    ok: false,
  },
] as const;
for (const { why, selector, labels, ok } of selectors) {
  test(`selector: ${why}`, () => assert.equal(matchesLabels(selector, labels), ok));
}

test("a selector as text", () => {
  assert.equal(
    selectorText({
      matchLabels: { a: "1" },
      matchExpressions: [
        { key: "b", operator: "In", values: ["x", "y"] },
        { key: "c", operator: "NotIn", values: ["z"] },
        { key: "d", operator: "Exists" },
        { key: "e", operator: "DoesNotExist" },
      ],
    }),
    "a=1,b in (x,y),c notin (z),d,!e",
  );
});
