import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Severity } from "../checks/check.ts";
import type { CheckResult } from "../checks/run.ts";
import { inTheWay } from "./in-the-way.ts";

const object = { group: "", kind: "Namespace", name: "cozy-system" };

function check(id: string, severity: Severity | undefined, isUnread = false): CheckResult {
  return {
    id,
    title: id,
    severity: "blocking",
    why: "",
    remedy: [],
    reads: [],
    verdict: isUnread ? "couldNotTell" : severity === undefined ? "pass" : "fail",
    findings: severity === undefined ? [] : [{ object, severity, what: "is wrong", remedy: [] }],
    unread: isUnread ? [{ what: "namespaces", problem: "denied" }] : [],
    notes: [],
  };
}

const ids = (...checks: readonly CheckResult[]): readonly string[] => inTheWay({ checks }).map(({ id }) => id);

describe("checks in the way of an upgrade", () => {
  it("are those that block and those that could not tell", () => {
    assert.deepEqual(ids(check("P1", "blocking"), check("P2", "warning"), check("P3", undefined, true)), ["P1", "P3"]);
    assert.deepEqual(ids(check("P1", undefined), check("P17", "information")), []);
  });

  it("are not what the run does itself, as long as that can be read", () => {
    assert.deepEqual(ids(check("P12", "blocking")), []);
    assert.deepEqual(ids(check("P12", undefined, true)), ["P12"]);
  });
});
