import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { valueAt } from "../../kube/json.ts";
import type { AppContext } from "../../sdk/context.ts";
import { Refusal } from "../../sdk/errors.ts";
import type { Answers } from "../../sdk/needs.ts";
import { pendingApps } from "./index.ts";

const NONE: Answers = {
  object: () => assert.fail("nothing is looked up"),
  list: () => assert.fail("nothing is looked up"),
  generated: () => assert.fail("nothing is generated"),
};
const context: AppContext = {
  cluster: {},
  namespace: { host: "", etcd: "", ingress: "", gateway: "", monitoring: "", seaweedfs: "", schedulingClass: "" },
  tenant: { namespace: "tenant-root", ancestors: [] },
  chartVersion: "0.0.0",
  apis: new Set(),
};

test("what people order of a kind to come is refused as NotImplemented, whatever its spec", () => {
  for (const app of pendingApps) {
    const instance = app.instance(
      { name: "x", namespace: "tenant-root", spec: { size: "1Gi", nested: { list: [1, "a"] } } },
      context,
    );
    assert.throws(
      () => instance.render(NONE),
      (error) => error instanceof Refusal && error.code === "NotImplemented" && error.message.includes(app.kind),
    );
  }
});

test("their specs stay open: nothing that anybody writes is dropped or refused", () => {
  for (const app of pendingApps) {
    const versions = valueAt(app.crd(), "spec", "versions");
    assert.ok(Array.isArray(versions));
    const spec = valueAt(versions[0], "schema", "openAPIV3Schema", "properties", "spec");
    assert.equal(valueAt(spec, "x-kubernetes-preserve-unknown-fields"), true, app.kind);
    assert.deepEqual(valueAt(spec, "default"), {}, app.kind);
    assert.deepEqual(valueAt(spec, "properties"), {}, app.kind);
    assert.equal(valueAt(spec, "required"), undefined, app.kind);
  }
});

const reference = new URL("../../../../shared/reference/", import.meta.url);
test("names agree with the reference page of each kind, and no kind is missing", {
  skip: existsSync(reference) ? false : "no reference data",
}, () => {
  const pages = readdirSync(new URL("schemas/", reference)).map((file) => file.replace(".json", ""));
  const done = new Set(readdirSync(new URL("../", import.meta.url)));
  // A folder may be there before its kind is served by it.
  const begun = new Set(pendingApps.map(({ release }) => release.replace(/-$/, "")));
  const expected = pages.filter((page) => !done.has(page) || begun.has(page));
  assert.equal(pendingApps.length, expected.length);
  for (const page of expected) {
    const text = readFileSync(new URL(`apps/${page}.md`, reference), "utf8");
    const [, kind, plural] = /[kK]ind `(\w+)`, plural(?: \*\*and\*\* singular)? `(\w+)`/.exec(text) ?? [];
    const app = pendingApps.find((each) => each.kind === kind);
    assert.ok(app, `${page}: kind ${kind}`);
    assert.equal(app.plural, plural, page);
    const prefix = /[rR]elease prefix (?:\/ labels \| )?(?:`([\w-]+)`|(empty))/.exec(text);
    assert.equal(app.release, prefix?.[1] ?? "", page);
    assert.equal(app.module, text.includes("`module: true`"), page);
  }
});
