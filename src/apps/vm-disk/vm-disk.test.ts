import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { DataVolume } from "../../contracts/cdi-kubevirt-io.ts";
import { PersistentVolumeClaim } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { compareQuantities, parseQuantity } from "../../sdk/quantity.ts";
import { vmDisk } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(vmDisk, given);
const volume = (given: RenderGiven = {}) => demo(given).object("DataVolume", "vm-disk-demo");
const liveClaim = (storage: string | number) =>
  PersistentVolumeClaim("vm-disk-demo", { spec: { resources: { requests: { storage } } } });
const liveVolume = DataVolume("vm-disk-demo", {
  spec: {
    contentType: "kubevirt",
    source: { http: { url: "https://old.example.org" } },
    storage: { storageClassName: "old" },
  },
});

const sources = [
  { why: "nothing: a blank disk", source: {}, rendered: { blank: {} } },
  {
    why: "an image of the catalogue",
    source: { image: { name: "ubuntu-24.04" } },
    rendered: { pvc: { name: "vm-default-images-ubuntu-24.04", namespace: "cozy-public" } },
  },
  {
    why: "an address",
    source: { http: { url: "https://x/y.qcow2" } },
    rendered: { http: { url: "https://x/y.qcow2" } },
  },
  { why: "an upload", source: { upload: {} }, rendered: { upload: {} } },
  {
    why: "another disk of the tenant",
    source: { disk: { name: "golden" } },
    rendered: { pvc: { name: "vm-disk-golden", namespace: "tenant-foo" } },
  },
] as const;

for (const { why, source, rendered } of sources) {
  test(`source: ${why}`, () => {
    const object = volume({ spec: { source } });
    assert.deepEqual(valueAt(object, "spec", "source"), rendered);
    const bindsAtOnce = valueAt(object, "metadata", "annotations", "cdi.kubevirt.io/storage.bind.immediate.requested");
    assert.equal(bindsAtOnce, "upload" in source ? "" : undefined, "an upload waits for no consumer");
  });
}

test("size and class of a new disk are those asked for; a number is a size in bytes", () => {
  assert.deepEqual(valueAt(volume(), "spec", "storage"), {
    resources: { requests: { storage: "5Gi" } },
    storageClassName: "replicated",
  });
  const spec = { storage: 1073741824, storageClass: "" };
  assert.deepEqual(valueAt(volume({ spec }), "spec", "storage"), { resources: { requests: { storage: 1073741824 } } });
});

test("an optical disk is marked for the machines that attach it, now and when it changes", () => {
  const mark = (given: RenderGiven) =>
    valueAt(volume(given), "metadata", "annotations", "vm-disk.cozystack.io/optical");
  assert.equal(mark({}), "false");
  assert.equal(mark({ spec: { optical: true } }), "true");
  assert.equal(mark({ spec: { optical: true }, existing: [liveVolume] }), "true");
});

test("what a live DataVolume says is kept, whatever the specification says", () => {
  const spec = { storage: "50Gi", storageClass: "other", source: { image: { name: "ubuntu" } } };
  assert.deepEqual(valueAt(volume({ spec, existing: [liveVolume] }), "spec"), liveVolume.spec);
});

const sizes = [
  { why: "larger", live: "10Gi", wanted: "20Gi", patched: "20Gi" },
  { why: "larger in bytes", live: "10Gi", wanted: 21474836480, patched: "21474836480" },
  { why: "larger than a number", live: 5, wanted: "10", patched: "10" },
  { why: "equal", live: "10Gi", wanted: "10Gi", patched: undefined },
  { why: "equal in other words", live: "1Gi", wanted: "1024Mi", patched: undefined },
  { why: "smaller than a claim with room for its file system", live: "5683Mi", wanted: "5Gi", patched: undefined },
  { why: "smaller", live: "10Gi", wanted: "5Gi", patched: undefined },
] as const;

for (const { why, live, wanted, patched } of sizes) {
  test(`a size that is ${why} ${patched === undefined ? "leaves the claim alone" : "is asked of the claim"}`, () => {
    const rendered = demo({ spec: { storage: wanted }, existing: [liveVolume, liveClaim(live)] });
    const claim = rendered.manifest("PersistentVolumeClaim", "vm-disk-demo");
    if (patched === undefined) return assert.equal(claim, undefined);
    assert.equal(claim?.policy, "patchExisting");
    assert.deepEqual(
      claim?.object,
      PersistentVolumeClaim("vm-disk-demo", { spec: { resources: { requests: { storage: patched } } } }),
    );
  });
}

test("a claim grows once it is bound, since Kubernetes refuses it before", () => {
  const asked = (phase: "Pending" | "Bound") => {
    const claim = { ...liveClaim("10Gi"), status: { phase } };
    return demo({ spec: { storage: "20Gi" }, existing: [liveVolume, claim] }).manifest(
      "PersistentVolumeClaim",
      "vm-disk-demo",
    );
  };
  assert.equal(asked("Pending"), undefined);
  assert.ok(asked("Bound"));
});

test("a claim that is not there yet is the DataVolume's to make", () => {
  assert.equal(demo({ spec: { storage: "50Gi" } }).manifest("PersistentVolumeClaim", "vm-disk-demo"), undefined);
});

test("a disk to be kept lets a later one of its name take its claim over", () => {
  const spec = { reclaimPolicy: "Retain" };
  const claim = demo({ spec, existing: [liveVolume, liveClaim("5Gi")] }).manifest(
    "PersistentVolumeClaim",
    "vm-disk-demo",
  );
  assert.deepEqual(claim?.object.metadata.annotations, { "cdi.kubevirt.io/allowClaimAdoption": "true" });
  assert.equal(claim?.policy, "patchExisting");
  assert.equal(
    valueAt(claim?.object, "spec", "resources", "requests", "storage"),
    "5Gi",
    "an apply without it would take it away",
  );
  assert.deepEqual(demo().instance.storage, [{ group: "", kind: "PersistentVolumeClaim", names: ["vm-disk-demo"] }]);
});

test("people may look at the DataVolume; the monitor asks for nothing that runs", () => {
  const rendered = demo();
  assert.deepEqual(valueAt(rendered.object("Role", "vm-disk-demo-dashboard-resources"), "rules"), [
    {
      apiGroups: ["cdi.kubevirt.io"],
      resources: ["datavolumes"],
      resourceNames: ["vm-disk-demo"],
      verbs: ["get", "list", "watch"],
    },
  ]);
  assert.deepEqual(valueAt(rendered.object("WorkloadMonitor", "vm-disk-demo"), "spec"), {
    kind: "vm-disk",
    type: "vm-disk",
    version: "0.0.0",
    replicas: 0,
    minReplicas: 0,
    selector: { "app.kubernetes.io/instance": "vm-disk-demo" },
  });
});

const refused = [
  {
    why: "two sources",
    spec: { source: { image: { name: "ubuntu" }, http: { url: "https://x" } } },
    field: "spec.source",
  },
  { why: "an upload beside a copy", spec: { source: { upload: {}, disk: { name: "x" } } }, field: "spec.source" },
  { why: "an image without a name", spec: { source: { image: { name: "" } } }, field: "spec.source.image.name" },
  { why: "an image that has none", spec: { source: { image: {} } }, field: "spec.source.image" },
  { why: "an address without a scheme", spec: { source: { http: { url: "x" } } }, field: "spec.source.http.url" },
  { why: "an empty address", spec: { source: { http: { url: "" } } }, field: "spec.source.http.url" },
  { why: "a disk that is no name", spec: { source: { disk: { name: "../other" } } }, field: "spec.source.disk.name" },
  { why: "a copy of itself", spec: { source: { disk: { name: "demo" } } }, field: "spec.source.disk.name" },
  { why: "a size that is none", spec: { storage: "much" }, field: "spec.storage" },
] as const;

for (const { why, spec, field } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field,
    );
  });
}

const quantity = fc
  .tuple(fc.integer({ min: 1, max: 9999 }), fc.constantFrom("", "M", "Mi", "G", "Gi"))
  .map(([n, unit]) => `${n}${unit}`);

test("property: the claim is asked to grow exactly when the specification is larger, and never to shrink", () => {
  fc.assert(
    fc.property(quantity, quantity, (live, wanted) => {
      const claim = demo({ spec: { storage: wanted }, existing: [liveVolume, liveClaim(live)] }).object(
        "PersistentVolumeClaim",
        "vm-disk-demo",
      );
      const [before, after] = [parseQuantity(live), parseQuantity(wanted)];
      assert.ok(before !== undefined && after !== undefined);
      const asked = valueAt(claim, "spec", "resources", "requests", "storage");
      assert.equal(asked, compareQuantities(after, before) > 0 ? wanted : undefined);
    }),
    { numRuns: 200 },
  );
});

test("a source that does not exist is an unknown field: the disk is blank", () => {
  assert.deepEqual(valueAt(volume({ spec: { source: { torrent: { url: "x" } } } }), "spec", "source"), { blank: {} });
});
