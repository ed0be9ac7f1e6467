import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { vmDisk } from "./index.ts";

const image = { image: { name: "ubuntu" } };
const http = { http: { url: "https://x" } };

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "one source", spec: { source: image } },
  { why: "an upload", spec: { source: { upload: {} } } },
  { why: "two sources", spec: { source: { ...image, ...http } }, refused: /exactly one source/ },
  {
    why: "four sources",
    spec: { source: { ...image, ...http, upload: {}, disk: { name: "a" } } },
    refused: /exactly one source/,
  },
  { why: "an image without a name", spec: { source: { image: {} } }, refused: /source\.image\.name.*[Rr]equired/ },
  { why: "an empty name", spec: { source: { image: { name: "" } } }, refused: /source\.image\.name/ },
  { why: "an address without a scheme", spec: { source: { http: { url: "x" } } }, refused: /source\.http\.url/ },
  { why: "a size as a number", spec: { storage: 1073741824 } },
  { why: "a disk that grows", before: { storage: "5Gi" }, spec: { storage: "6Gi" } },
  {
    why: "a disk that shrinks",
    before: { storage: "5Gi" },
    spec: { storage: "5000Mi" },
    refused: /grow but not shrink/,
  },
  {
    why: "another source",
    before: { source: image },
    spec: { source: { image: { name: "debian" } } },
    refused: /source is immutable/,
  },
  { why: "a source later", before: {}, spec: { source: image }, refused: /source is immutable/ },
  { why: "a source taken away", before: { source: image }, spec: { source: null }, refused: /source is immutable/ },
  { why: "another class", before: {}, spec: { storageClass: "local" }, refused: /storageClass is immutable/ },
  { why: "an optical disk later", before: { source: image }, spec: { optical: true } },
];

const check = await ruleChecker(vmDisk);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));
