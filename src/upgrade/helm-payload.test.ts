import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { decodeHelmPayload } from "./helm-payload.ts";

const twice = (content: Buffer): string => Buffer.from(content.toString("base64")).toString("base64");
const payload = (value: unknown): string => twice(gzipSync(Buffer.from(JSON.stringify(value))));
const release = { version: 3, manifest: "kind: X", chart: { metadata: { name: "cozy-seaweedfs" } } };

test("a payload gives its chart, revision and manifest", () => {
  assert.deepEqual(decodeHelmPayload(payload(release)), {
    is: "decoded",
    payload: { chart: "cozy-seaweedfs", revision: 3, manifest: "kind: X" },
  });
});

const bad: readonly (readonly [why: string, text: unknown])[] = [
  ["nothing", undefined],
  ["an empty text", ""],
  ["no base64", "%%%"],
  ["base64 once alone", gzipSync(Buffer.from("{}")).toString("base64")],
  ["not compressed", twice(Buffer.from(JSON.stringify(release)))],
  ["cut off", payload(release).slice(0, 60)],
  ["no JSON", twice(gzipSync(Buffer.from("hunter2")))],
  ["no chart", payload({ version: 1, config: { password: "hunter2" } })],
  ["no revision", payload({ chart: release.chart })],
  ["too long as it is", "A".repeat(4 * 1024 * 1024 + 1)],
  ["too long when it is not compressed any more", twice(gzipSync(Buffer.alloc(33 * 1024 * 1024, 32)))],
];
for (const [why, text] of bad)
  test(`a payload that is ${why} is undecodable, and not quoted`, () => {
    const decoded = decodeHelmPayload(text);
    assert.equal(decoded.is, "undecodable");
    assert.doesNotMatch(JSON.stringify(decoded), /hunter2/);
  });
