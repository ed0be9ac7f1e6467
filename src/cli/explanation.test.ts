/** What events add to a finding. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withEvents } from "./explanation.ts";

const finding = { object: { group: "batch", kind: "Job", namespace: "ns", name: "j" }, what: "has not finished" };

test("what a quota refuses asks for a person, other warnings do not; a step that is known stays", () => {
  const quota = ['FailedCreate: pods "x" is forbidden: exceeded quota: tenant-quota, requested: limits.cpu=1'];
  assert.match(withEvents(finding, quota).next ?? "", /spec\.resourceQuotas of the Tenant/);
  assert.equal(withEvents(finding, ["BackOff: restarting"]).next, undefined);
  assert.equal(withEvents({ ...finding, next: "Look." }, quota).next, "Look.");
});
