import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type MonitorCounts, type MonitorSpec, monitorStatus, Tally } from "./tally.ts";

const counts = (pods: number, readyPods: number, operational = readyPods): MonitorCounts => ({
  pods,
  readyPods,
  operational,
});

const rows: readonly {
  readonly why: string;
  readonly spec: MonitorSpec;
  readonly counts: MonitorCounts;
  readonly operational: boolean;
}[] = [
  { why: "as many as needed", spec: { minReplicas: 2, replicas: 3 }, counts: counts(3, 2), operational: true },
  { why: "one too few (feature 70)", spec: { minReplicas: 2, replicas: 3 }, counts: counts(3, 1), operational: false },
  { why: "none needed", spec: { minReplicas: 0 }, counts: counts(0, 0), operational: true },
  { why: "nothing exists and no figure is given", spec: {}, counts: counts(0, 0), operational: false },
  { why: "no figure, but something serves", spec: {}, counts: counts(0, 0, 1), operational: true },
  { why: "no figure: pods are only counted (feature 185)", spec: {}, counts: counts(4, 4), operational: true },
  { why: "none are wanted", spec: { replicas: 0 }, counts: counts(0, 0), operational: true },
];

for (const { why, spec, counts: given, operational } of rows) {
  test(`a monitor is ${operational ? "" : "not "}operational: ${why}`, () => {
    const { availableReplicas, observedReplicas, ...status } = monitorStatus(spec, given);
    assert.deepEqual(
      [status.operational, availableReplicas, observedReplicas],
      [operational, given.readyPods, given.pods],
    );
  });
}

test("property: counts are those of the objects there are, in whatever order they came", () => {
  const step = fc.record({
    object: fc.constantFrom("a", "b", "c", "d", "e"),
    now: fc.option(fc.record({ monitor: fc.constantFrom("m", "n"), isPod: fc.boolean(), operational: fc.boolean() }), {
      nil: undefined,
    }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const tally = new Tally();
      const objects = new Map<string, NonNullable<(typeof steps)[number]["now"]>>();
      for (const { object, now: wanted } of steps) {
        // An object does not change its kind.
        const now = wanted === undefined ? undefined : { ...wanted, isPod: object < "d" };
        tally.set(object, now);
        if (now === undefined) objects.delete(object);
        else objects.set(object, now);
      }
      for (const monitor of ["m", "n"]) {
        const own = [...objects.values()].filter((one) => one.monitor === monitor);
        assert.deepEqual(tally.of(monitor), {
          pods: own.filter(({ isPod }) => isPod).length,
          readyPods: own.filter(({ isPod, operational }) => isPod && operational).length,
          operational: own.filter(({ operational }) => operational).length,
        });
      }
    }),
  );
});
