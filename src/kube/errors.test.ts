import assert from "node:assert/strict";
import test from "node:test";
import { ApiError, apiProblems, CozystackError, isApiError, isTransient } from "./errors.ts";
import { connectionError, statusError } from "./status-error.ts";

const secret = { verb: "create", path: "/x", ref: { group: "", kind: "Secret", namespace: "ns", name: "s" } };
const pod = {
  verb: "get",
  path: "/api/v1/namespaces/ns/pods/p",
  ref: { group: "", kind: "Pod", namespace: "ns", name: "p" },
};
const status = (reason: string, message: string, details: object = {}) => ({
  kind: "Status",
  reason,
  message,
  details,
});

const rows = [
  {
    why: "an object that does not exist is named in the details",
    answer: [404, status("NotFound", 'pods "p" not found', { name: "p", kind: "pods" })],
    code: "NotFound",
  },
  { why: "a path nobody serves is text", answer: [404, "404 page not found\n"], code: "Unserved" },
  {
    why: "a kind nobody serves, in a group that exists, names no object",
    answer: [404, status("NotFound", "the server could not find the requested resource")],
    code: "Unserved",
  },
  {
    why: "409 has two meanings: one",
    answer: [409, status("AlreadyExists", "x", { name: "p" })],
    code: "AlreadyExists",
  },
  { why: "409 has two meanings: the other", answer: [409, status("Conflict", "x", { name: "p" })], code: "Conflict" },
  { why: "an old resource version", answer: [410, status("Expired", "too old")], code: "Expired" },
  { why: "Gone is how watches say it", answer: [410, status("Gone", "too old")], code: "Expired" },
  {
    why: "a quota's refusal is a Forbidden that retries do not cure",
    answer: [
      403,
      status("Forbidden", 'pods "p" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1'),
    ],
    code: "QuotaExceeded",
  },
  {
    why: "a namespace on its way out refuses creates",
    answer: [
      403,
      status("Forbidden", "x", { causes: [{ reason: "NamespaceTerminating", field: "metadata.namespace" }] }),
    ],
    code: "NamespaceTerminating",
  },
  {
    why: "apply answers a value of the wrong type as a fault of its own, which no retry cures",
    answer: [
      500,
      status(
        "",
        "failed to create typed patch object (ns/p; v1, Kind=Pod): .spec.replicas: expected numeric (int or float), got string",
      ),
    ],
    code: "Invalid",
  },
  { why: "a proxy's text answer", answer: [502, "bad gateway"], code: "ServiceUnavailable" },
  { why: "an unknown client error", answer: [418, ""], code: "BadRequest" },
  { why: "an unknown server error", answer: [507, ""], code: "InternalError" },
] as const;

for (const { why, answer, code } of rows) {
  test(`status ${answer[0]}: ${why}`, () => assert.equal(statusError(pod, answer[0], answer[1]).code, code));
}

test("the message names verb, kind and object; causes and retry time are kept", () => {
  const error = statusError(
    pod,
    422,
    status("Invalid", "spec is bad", { causes: [{ field: "spec.x", message: "must be 1" }] }),
    "7",
  );
  assert.equal(error.message, "get Pod ns/p: spec is bad");
  assert.deepEqual(error.causes, [{ field: "spec.x", message: "must be 1" }]);
  assert.equal(error.retryAfterSeconds, 7);
  assert.ok(error instanceof CozystackError);
  assert.equal(error.name, "ApiError");
});

test("a value of the wrong type names its field, and nothing is in doubt", () => {
  const message =
    "failed to create typed patch object (ns/p; v1, Kind=Pod): .spec.replicas: expected numeric (int or float), got string";
  const error = statusError(pod, 500, status("", message));
  assert.deepEqual(
    error.causes.map(({ field, message: said }) => [field, said]),
    [["spec.replicas", "expected numeric (int or float), got string"]],
  );
  assert.equal(error.ambiguous, false);
  assert.equal(isTransient(error), false);
});

test("what a rule denies is not sent to an administrator for permission", () => {
  const denied =
    "p is forbidden: ValidatingAdmissionPolicy 'x' with binding 'x' denied request: remove the label first";
  assert.doesNotMatch(statusError(pod, 403, status("Forbidden", denied)).remedy, /administrator/);
  const webhook = 'admission webhook "x" denied the request: no';
  assert.doesNotMatch(statusError(pod, 403, status("Forbidden", webhook)).remedy, /administrator/);
  assert.match(statusError(pod, 403, status("Forbidden", 'User "a" cannot get pods')).remedy, /administrator/);
});

test("a refused Secret's values go nowhere", () => {
  const error = statusError(
    secret,
    422,
    status("Invalid", 'data[k]: Invalid value: "hunter2"', {
      causes: [{ field: "data[k]", message: 'Invalid value: "hunter2"' }],
    }),
  );
  assert.ok(!JSON.stringify([error.message, error.causes, error.stack]).includes("hunter2"));
  assert.match(error.message, /data\[k\]/);
});

test("a server error leaves a write in doubt, a refusal does not", () => {
  assert.equal(statusError(secret, 504, "").ambiguous, true);
  assert.equal(statusError(secret, 409, "").ambiguous, false);
  assert.equal(connectionError("Network", secret, new Error("reset"), true).ambiguous, true);
});

test("every problem has a remedy that is a sentence", () => {
  for (const [code, problem] of Object.entries(apiProblems)) {
    assert.match(problem.remedy, /^[A-Z].*\.$/, code);
  }
});

test("isApiError and isTransient sort errors by code", () => {
  assert.ok(isApiError(new ApiError("Conflict", "x"), "NotFound", "Conflict"));
  assert.ok(!isApiError(new ApiError("Conflict", "x"), "NotFound"));
  assert.ok(!isApiError(new Error("x")));
  assert.ok(isTransient(new ApiError("TooManyRequests", "x")));
  assert.ok(!isTransient(new ApiError("Invalid", "x")));
});
