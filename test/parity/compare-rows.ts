/**
 * Rows of the tests of the comparison: a case of some objects, what is rendered, and the differences to be found.
 */
import assert from "node:assert/strict";
import test from "node:test";
import type { UnknownObject } from "../../src/kube/object.ts";
import type { ParityCase } from "./case.ts";
import { compareCase } from "./compare.ts";

/** A case without objects and rules. */
export const base: ParityCase = {
  app: "demo",
  kind: "Demo",
  case: "x",
  chart: { name: "demo", version: "1" },
  release: { name: "demo-a", namespace: "tenant-foo" },
  apis: [],
  values: {},
  cluster: {},
  namespace: {},
  existing: [],
  objects: [],
  volatile: [],
  volatileShape: {},
  volatileRelations: [],
  textHash: [],
  longText: [],
  helmOnly: [],
};

/** A ConfigMap `a`, or another kind with these fields. */
export function object(
  fields: Readonly<Record<string, unknown>>,
  metadata: Readonly<Record<string, unknown>> = {},
  kind = "ConfigMap",
): UnknownObject {
  const apiVersion = kind === "HelmRelease" ? "helm.toolkit.fluxcd.io/v2" : "v1";
  return { apiVersion, kind, metadata: { name: "a", ...metadata }, ...fields };
}

export interface Row {
  readonly why: string;
  readonly expected: readonly UnknownObject[];
  readonly actual: readonly UnknownObject[];
  readonly rules?: Partial<ParityCase>;
  /** `kind pointer` of each difference. */
  readonly finds: readonly string[];
}

/** One test a row. */
export function testRows(rows: readonly Row[]): void {
  for (const { why, expected, actual, rules, finds } of rows) {
    test(`compare: ${why}`, () => {
      const found = compareCase({ ...base, ...rules, objects: expected }, actual);
      assert.deepEqual(
        found.map((difference) => `${difference.kind} ${difference.pointer}`),
        finds,
      );
    });
  }
}
