import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions, writeOptions } from "./request-options.ts";
import { StatusError } from "./status.ts";

const refused = [
  { query: "limit=-1", status: 400 },
  { query: "limit=x", status: 400 },
  { query: "resourceVersion=x1", status: 400 },
  { query: "resourceVersionMatch=Sometimes&resourceVersion=1", status: 400 },
  { query: "sendInitialEvents=true", status: 422 },
  { query: "watch=1&sendInitialEvents=true", status: 422 },
  { query: "watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=1", status: 422 },
  { query: "resourceVersionMatch=NotOlderThan", status: 422 },
  { query: "resourceVersionMatch=Exact&resourceVersion=0", status: 422 },
  { query: "continue=x&resourceVersionMatch=Exact&resourceVersion=3", status: 422 },
];
for (const { query, status } of refused) {
  test(`is refused: ${query}`, () => {
    assert.throws(
      () => readOptions(new URLSearchParams(query)),
      (error) => error instanceof StatusError && error.status === status,
    );
  });
}

test("flags are read as the API server reads them", () => {
  const watch = (query: string) => readOptions(new URLSearchParams(query)).watch;
  assert.ok(watch("watch") && watch("watch=true") && watch("watch=1"));
  assert.ok(!watch("") && !watch("watch=false") && !watch("watch=0"));
});

test("writes: dry run, validation, and who owns the fields", () => {
  const options = (query: string, agent = "tool/1.2 (linux)") =>
    writeOptions({ query: new URLSearchParams(query), header: (name) => (name === "user-agent" ? agent : undefined) });
  assert.deepEqual(options(""), {
    dryRun: false,
    fieldManager: "",
    defaultManager: "tool",
    fieldValidation: "Warn",
    force: false,
  });
  assert.ok(options("dryRun=All").dryRun);
  assert.throws(() => options("dryRun=Some"), StatusError, "what is not understood is not carried out");
  assert.throws(() => options("fieldValidation=Maybe"), StatusError);
  assert.equal(options("fieldManager=me").fieldManager, "me");
});
