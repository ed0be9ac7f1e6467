/**
 * What a case says about single values: random ones, hashes, scripts and configuration texts.
 */
import { createHash } from "node:crypto";
import { object, testRows } from "./compare-rows.ts";

const sha = (text: string) => createHash("sha256").update(text).digest("hex");

testRows([
  {
    why: "a random value of the right shape",
    expected: [object({ stringData: { p: "abcd" } })],
    actual: [object({ stringData: { p: "WXYZ" } })],
    rules: { volatile: ["/objects/0/stringData/p"], volatileShape: { "/objects/0/stringData/p": "^[A-Za-z]{4}$" } },
    finds: [],
  },
  {
    why: "a random value that is too short",
    expected: [object({ stringData: { p: "abcd" } })],
    actual: [object({ stringData: { p: "abc" } })],
    rules: { volatile: ["/objects/0/stringData/p"], volatileShape: { "/objects/0/stringData/p": "^[A-Za-z]{4}$" } },
    finds: ["differs /stringData/p"],
  },
  {
    why: "a random value in base64",
    expected: [object({ data: { p: "YWJj" } })],
    actual: [object({ data: { p: Buffer.from("xyz").toString("base64") } })],
    rules: { volatile: ["/objects/0/data/p"], volatileShape: { "/objects/0/data/p": "base64 of ^[a-z]{3}$" } },
    finds: [],
  },
  {
    why: "a random value not in base64",
    expected: [object({ data: { p: "YWJj" } })],
    actual: [object({ data: { p: "xyz" } })],
    rules: { volatile: ["/objects/0/data/p"], volatileShape: { "/objects/0/data/p": "base64 of ^[a-z]{3}$" } },
    finds: ["differs /data/p"],
  },
  {
    why: "a certificate where a key belongs",
    expected: [object({ data: { k: "$volatile: base64 of a PEM block: RSA PRIVATE KEY" } })],
    actual: [
      object({
        data: { k: Buffer.from("-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n").toString("base64") },
      }),
    ],
    rules: {
      volatile: ["/objects/0/data/k"],
      volatileShape: { "/objects/0/data/k": "base64 of a PEM block: RSA PRIVATE KEY" },
    },
    finds: ["differs /data/k"],
  },
  {
    why: "a random value that is absent",
    expected: [object({ stringData: { p: "abcd" } })],
    actual: [object({ stringData: {} })],
    rules: { volatile: ["/objects/0/stringData/p"] },
    finds: ["missing /stringData/p"],
  },
  {
    why: "a random value of another type",
    expected: [object({ x: "abcd" })],
    actual: [object({ x: 1 })],
    rules: { volatile: ["/objects/0/x"] },
    finds: ["differs /x"],
  },
  {
    why: "a hash that belongs to its password",
    expected: [object({ h: "x", p: "y" })],
    actual: [object({ h: sha("secret"), p: "secret" })],
    rules: {
      volatile: ["/objects/0/h", "/objects/0/p"],
      volatileRelations: [{ path: "/objects/0/h", sha256hexOf: "/objects/0/p" }],
    },
    finds: [],
  },
  {
    why: "a hash of another password",
    expected: [object({ h: "x", p: "y" })],
    actual: [object({ h: sha("other"), p: "secret" })],
    rules: {
      volatile: ["/objects/0/h", "/objects/0/p"],
      volatileRelations: [{ path: "/objects/0/h", sha256hexOf: "/objects/0/p" }],
    },
    finds: ["differs /h"],
  },
  {
    why: "two values that must be equal",
    expected: [object({ a: "x", b: "x" })],
    actual: [object({ a: "1", b: "2" })],
    rules: {
      volatile: ["/objects/0/a", "/objects/0/b"],
      volatileRelations: [{ path: "/objects/0/a", equals: "/objects/0/b" }],
    },
    finds: ["differs /a"],
  },
  {
    why: "a token without its id",
    expected: [object({ t: "x", i: "x" })],
    actual: [object({ t: "abc.def", i: "xyz" })],
    rules: {
      volatile: ["/objects/0/t", "/objects/0/i"],
      volatileRelations: [{ path: "/objects/0/t", contains: "/objects/0/i" }],
    },
    finds: ["differs /t"],
  },
  {
    why: "a checksum of our own text",
    expected: [object({ sum: "0".repeat(64) })],
    actual: [object({ sum: "a".repeat(64) })],
    rules: { textHash: [{ path: "/objects/0/sum", pattern: "^[0-9a-f]{64}$" }] },
    finds: [],
  },
  {
    why: "a checksum of another form",
    expected: [object({ sum: "0".repeat(64) })],
    actual: [object({ sum: "a" })],
    rules: { textHash: [{ path: "/objects/0/sum", pattern: "^[0-9a-f]{64}$" }] },
    finds: ["differs /sum"],
  },
  {
    why: "a name with another hash, and the reference to it",
    expected: [object({}, { name: "m-111111" }), object({ ref: "m-111111" }, { name: "b" })],
    actual: [object({}, { name: "m-222222" }), object({ ref: "m-222222" }, { name: "b" })],
    rules: {
      textHash: [
        { path: "/objects/0/metadata/name", pattern: "^m-[0-9a-f]{6}$" },
        { path: "/objects/1/ref", pattern: "^m-[0-9a-f]{6}$" },
      ],
    },
    finds: [],
  },
  {
    why: "a reference to another name",
    expected: [object({}, { name: "m-111111" }), object({ ref: "m-111111" }, { name: "b" })],
    actual: [object({}, { name: "m-222222" }), object({ ref: "m-333333" }, { name: "b" })],
    rules: {
      textHash: [
        { path: "/objects/0/metadata/name", pattern: "^m-[0-9a-f]{6}$" },
        { path: "/objects/1/ref", pattern: "^m-[0-9a-f]{6}$" },
      ],
    },
    finds: ["differs /ref"],
  },
  {
    why: "a script of our own",
    expected: [object({ run: { $opaque: "0", purpose: "makes users" } })],
    actual: [object({ run: "echo" })],
    finds: [],
  },
  {
    why: "a script that is missing",
    expected: [object({ run: { $opaque: "0", purpose: "makes users" } })],
    actual: [object({})],
    finds: ["missing /run"],
  },
  {
    why: "a script that is no text",
    expected: [object({ run: { $opaque: "0", purpose: "makes users" } })],
    actual: [object({ run: ["echo"] })],
    finds: ["differs /run"],
  },
  {
    why: "a configuration with the same content",
    expected: [object({ t: "a: 1\nb: [x, y]\n" })],
    actual: [object({ t: "b:\n- x\n- y\na: 1\n" })],
    rules: { longText: ["/objects/0/t"] },
    finds: [],
  },
  {
    why: "a configuration with other content",
    expected: [object({ t: "a: 1\nb: [x, y]\n" })],
    actual: [object({ t: "a: 1\nb: [y, x]\n" })],
    rules: { longText: ["/objects/0/t"] },
    finds: ["differs /t"],
  },
  {
    why: "another text without what does not matter",
    expected: [object({ t: "# one\nlisten 80;\n\n  root /a; \n" })],
    actual: [object({ t: "listen 80;\n# two\n  root /a;" })],
    rules: { longText: ["/objects/0/t"] },
    finds: [],
  },
  {
    why: "another text with another line",
    expected: [object({ t: "listen 80;\n" })],
    actual: [object({ t: "listen 81;\n" })],
    rules: { longText: ["/objects/0/t"] },
    finds: ["differs /t"],
  },
  {
    why: "a text that no rule frees",
    expected: [object({ t: "a: 1\n" })],
    actual: [object({ t: "a: 1" })],
    finds: ["differs /t"],
  },
]);
