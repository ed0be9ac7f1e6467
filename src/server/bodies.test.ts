/** Bodies that would hold everybody up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseYaml } from "./bodies.ts";
import { StatusError } from "./status.ts";

const keys = (count: number, line: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => line(at));

test("JSON in the place of YAML is read as JSON, however many keys it has", () => {
  const body = `{${keys(200_000, (at) => `"k${at}":1`).join(",")}}`;
  assert.equal(Object.keys(parseYaml(body)).length, 200_000);
});

test("YAML that takes long to read is refused before it is read", () => {
  const body = keys(200_000, (at) => `k${at}: 1`).join("\n");
  assert.throws(
    () => parseYaml(body),
    (error) =>
      error instanceof StatusError && error.reason === "RequestEntityTooLarge" && /send JSON/.test(error.message),
  );
});

test("YAML is read, and what is none is refused without being quoted", () => {
  assert.deepEqual(parseYaml("a: b\nc: [1]\n"), { a: "b", c: [1] });
  for (const body of ["a: [hunter2", "hunter2", "- hunter2"]) {
    assert.throws(
      () => parseYaml(body),
      (error) => error instanceof StatusError && error.reason === "BadRequest" && !error.message.includes("hunter2"),
    );
  }
});
