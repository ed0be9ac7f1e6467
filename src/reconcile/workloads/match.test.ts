import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { KubeObject } from "../../kube/object.ts";
import { MonitorIndex, matches, monitorKey, type Selecting } from "./match.ts";

const monitor = (name: string, selector: Record<string, string>, created = "2026-01-01T00:00:00Z"): Selecting => ({
  name,
  namespace: "a",
  selector,
  created,
});
const pod = (labels: Record<string, string>, namespace = "a"): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p", namespace, labels },
});

const rows: readonly {
  readonly why: string;
  readonly monitors: readonly Selecting[];
  readonly pod: KubeObject;
  readonly owner: string | undefined;
}[] = [
  { why: "no selector fits", monitors: [monitor("m", { x: "1" })], pod: pod({ x: "2" }), owner: undefined },
  { why: "another namespace", monitors: [monitor("m", { x: "1" })], pod: pod({ x: "1" }, "b"), owner: undefined },
  { why: "an empty selector matches nothing", monitors: [monitor("m", {})], pod: pod({ x: "1" }), owner: undefined },
  {
    why: "most keys first",
    monitors: [monitor("few", { x: "1" }, "2020-01-01T00:00:00Z"), monitor("many", { x: "1", y: "2" })],
    pod: pod({ x: "1", y: "2", z: "3" }),
    owner: "many",
  },
  {
    why: "then the oldest",
    monitors: [monitor("a", { x: "1" }), monitor("b", { y: "1" }, "2025-01-01T00:00:00Z")],
    pod: pod({ x: "1", y: "1" }),
    owner: "b",
  },
  {
    why: "then the first by name",
    monitors: [monitor("b", { x: "1" }), monitor("a", { y: "1" })],
    pod: pod({ x: "1", y: "1" }),
    owner: "a",
  },
];

for (const { why, monitors, pod: object, owner } of rows) {
  test(`the monitor of an object: ${why}`, () => {
    for (const order of [monitors, [...monitors].reverse()]) {
      const index = new MonitorIndex();
      for (const one of order) index.set(one);
      assert.equal(index.of(object)?.name, owner);
    }
  });
}

test("property: the index finds what a search through all monitors finds, also after changes", () => {
  const labels = fc.dictionary(fc.constantFrom("x", "y", "z"), fc.constantFrom("1", "2"), { maxKeys: 3 });
  const steps = fc.array(fc.tuple(fc.constantFrom("a", "b", "c", "d"), fc.option(labels)), { maxLength: 12 });
  fc.assert(
    fc.property(steps, labels, (changes, wanted) => {
      const index = new MonitorIndex();
      const all = new Map<string, Selecting>();
      for (const [name, selector] of changes) {
        if (selector === null) {
          index.remove(monitorKey({ name, namespace: "a" }));
          all.delete(name);
        } else {
          index.set(monitor(name, selector));
          all.set(name, monitor(name, selector));
        }
      }
      const object = pod(wanted);
      const [best] = [...all.values()]
        .filter((one) => matches(one, object))
        .sort((a, b) => Object.keys(b.selector).length - Object.keys(a.selector).length || (a.name < b.name ? -1 : 1));
      assert.equal(index.of(object)?.name, best?.name);
    }),
  );
});
