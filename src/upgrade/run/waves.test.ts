import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { RecordedApp } from "../effects/recorder.ts";
import { plannedWaves, waveOf } from "./waves.ts";

const group = "apps.cozystack.io";
const app = (kind: string, namespace: string, name: string): RecordedApp => ({
  ref: { group, kind, namespace, name },
  ready: true,
  owned: [],
});

/** A tenant below root with so many applications. */
const tenant = (name: string, count: number): readonly RecordedApp[] => [
  app("Tenant", "tenant-root", name),
  ...Array.from({ length: count }, (_, index) => app("Redis", `tenant-${name}`, `r${index}`)),
];
const root = app("Tenant", "tenant-root", "root");

describe("waves", () => {
  it("begin with the platform, go on with the smallest tenant that has applications, and end with all others", () => {
    const waves = plannedWaves([root, ...tenant("a", 3), ...tenant("b", 1), ...tenant("c", 0)], {});
    assert.deepEqual(
      waves.map(({ name, tenants, phase }) => [name, tenants, phase]),
      [
        ["platform", ["tenant-root"], "held"],
        ["canary", ["tenant-b"], "held"],
        ["tenants", undefined, "held"],
      ],
    );
  });

  it("begin with the tenant that is named, and refuse one that does not exist", () => {
    const all = [...tenant("a", 3), ...tenant("b", 1)];
    assert.deepEqual(plannedWaves(all, { canary: "tenant-a" })[1]?.tenants, ["tenant-a"]);
    assert.throws(() => plannedWaves(all, { canary: "tenant-x" }), { code: "CanaryUnknown" });
  });

  it("are of a size, and each tenant is in one of them", () => {
    const sizes = fc.record({ tenants: fc.integer({ min: 0, max: 60 }), size: fc.integer({ min: 1, max: 30 }) });
    fc.assert(
      fc.property(sizes, ({ tenants, size }) => {
        const names = Array.from({ length: tenants }, (_, index) => `t${index}`);
        const waves = plannedWaves(
          names.flatMap((name) => tenant(name, 1)),
          { size },
        );
        const named = waves.flatMap((wave) => wave.tenants ?? []);
        assert.equal(new Set(named).size, named.length);
        assert.ok(waves.slice(2).every((wave) => (wave.tenants?.length ?? 0) <= size));
        assert.equal(waves.at(-1)?.tenants, undefined);
        assert.equal(waves.filter((wave) => wave.tenants === undefined).length, 1);
        const last = names.filter((name) => waveOf(waves, `tenant-${name}`) === waves.length - 1);
        assert.ok(last.length <= size);
        for (const name of names) assert.ok(waveOf(waves, `tenant-${name}`) >= 1);
      }),
    );
  });

  it("have tenants that come later in the last one", () => {
    const waves = plannedWaves(tenant("a", 1), {});
    assert.equal(waveOf(waves, "tenant-new"), waves.length - 1);
  });
});
