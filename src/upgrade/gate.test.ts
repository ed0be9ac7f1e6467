import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { UpgradeRun, type UpgradeRunSpec, type UpgradeWave } from "../contracts/internal-cozystack-io.ts";
import type { KubeObject } from "../kube/object.ts";
import { gateOf, newerDefinitions } from "./gate.ts";

const held: readonly UpgradeWave[] = [
  { name: "platform", tenants: ["tenant-root"], phase: "healthy" },
  { name: "canary", tenants: ["tenant-a"], phase: "released" },
  { name: "rest", phase: "held" },
];

const run = (spec: Partial<UpgradeRunSpec> = {}): KubeObject =>
  UpgradeRun("current", {
    namespace: "cozy-system",
    spec: { to: "2.0.0", from: "1.0.0", phase: "rolling", waves: held, begun: "2026-01-01T00:00:00Z", ...spec },
  });

const tenants = ["tenant-root", "tenant-a", "tenant-b"];
const openTo = (object: KubeObject | undefined, version: string): readonly string[] =>
  tenants.filter(gateOf(object, version));

describe("the gate of an upgrade", () => {
  it("is open where no upgrade is under way, and after one", () => {
    assert.deepEqual(openTo(undefined, "1.0.0"), tenants);
    assert.deepEqual(openTo(run({ phase: "done" }), "2.0.0"), tenants);
    assert.deepEqual(openTo(run({ phase: "done" }), "2.1.0"), tenants);
  });

  it("gives each tenant to one version: to the new one what is released, the rest to the former", () => {
    assert.deepEqual(openTo(run(), "2.0.0"), ["tenant-root", "tenant-a"]);
    assert.deepEqual(openTo(run(), "1.0.0"), ["tenant-b"]);
    assert.deepEqual(openTo(run({ phase: "halted" }), "2.0.0"), ["tenant-root", "tenant-a"]);
  });

  it("stays closed to the former version after it, which would put everything back", () => {
    assert.deepEqual(openTo(run({ phase: "done" }), "1.0.0"), []);
    assert.deepEqual(openTo(run({ phase: "done", to: "1.0.0", from: "2.0.0" }), "1.0.0"), tenants);
  });

  it("has tenants that came later in the wave of all others", () => {
    const released = held.map((wave) => ({ ...wave, phase: "released" as const }));
    assert.equal(gateOf(run({ waves: released }), "2.0.0")("tenant-new"), true);
    assert.equal(gateOf(run({ waves: released.slice(0, 2) }), "2.0.0")("tenant-new"), false);
  });

  it("has the platform's namespaces in the first wave", () => {
    assert.equal(gateOf(run(), "2.0.0")("cozy-monitoring"), true);
    assert.equal(
      gateOf(run({ waves: held.map((wave) => ({ ...wave, phase: "held" })) }), "2.0.0")("cozy-system"),
      false,
    );
  });

  it("is closed to a version that has no part in it", () => {
    assert.deepEqual(openTo(run(), "1.5.0"), []);
  });

  it("is closed where the object says something that nobody understands", () => {
    const broken: readonly unknown[] = [
      undefined,
      {},
      { to: "2.0.0", phase: "rolling" },
      { to: "2.0.0", phase: "paused", waves: [] },
      { to: "2.0.0", phase: "rolling", waves: [{ name: "a", phase: "open" }] },
      { to: "2.0.0", phase: "rolling", waves: [{ name: "a", phase: "released", tenants: "tenant-a" }] },
      { to: "2.0.0", phase: "done", waves: "none" },
    ];
    for (const spec of broken) {
      for (const version of ["1.0.0", "2.0.0"]) assert.deepEqual(openTo(Object.assign(run(), { spec }), version), []);
    }
  });
});

describe("definitions of a newer version", () => {
  const spec = { waves: held, begun: "2026-01-01T00:00:00Z" } as const;

  it("stay for the version that an upgrade was taken back to, and for nobody else", () => {
    const back: UpgradeRunSpec = { ...spec, to: "1.0.0", from: "2.0.0", phase: "done" };
    assert.equal(newerDefinitions(back, "1.0.0"), "keep");
    assert.equal(newerDefinitions(back, "0.9.0"), "refuse");
    assert.equal(newerDefinitions({ ...back, phase: "rolling" }, "1.0.0"), "refuse");
    assert.equal(newerDefinitions({ ...spec, to: "2.0.0", from: "1.0.0", phase: "done" }, "2.0.0"), "refuse");
    assert.equal(newerDefinitions(undefined, "1.0.0"), "refuse");
  });
});
