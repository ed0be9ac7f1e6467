import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { foundationdb } from "./index.ts";

const cluster = (spec: object) => ({ cluster: spec });
const credentials = { accessKeyId: "AK", secretAccessKey: "SK" };
const backup = (s3: object) => ({ backup: { enabled: true, s3 } });

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "counts of other processes", spec: cluster({ processCounts: { log: 5, stateless: 3 } }) },
  { why: "a count that is none", spec: cluster({ processCounts: { log: "many" } }), refused: /processCounts\.log/ },
  { why: "a negative count", spec: cluster({ processCounts: { storage: -1 } }), refused: /processCounts\.storage/ },
  { why: "a release candidate", spec: cluster({ version: "7.4.0-rc1" }) },
  { why: "a version that is none", spec: cluster({ version: "latest" }), refused: /spec\.cluster\.version/ },
  {
    why: "a mode the operator does not know",
    spec: cluster({ redundancyMode: "three_datacenter" }),
    refused: /redundancyMode/,
  },
  { why: "an engine the operator does not know", spec: cluster({ storageEngine: "tape" }), refused: /storageEngine/ },
  { why: "an image type that does not exist", spec: { imageType: "both" }, refused: /imageType/ },
  { why: "a parameter of two lines", spec: { customParameters: ["a=1\nb=2"] }, refused: /customParameters\[0\]/ },
  { why: "a backup", spec: backup({ bucket: "fdb", endpoint: "https://s3.example.org", credentials }) },
  { why: "a backup to nowhere", spec: backup({ credentials }), refused: /backup\.s3\.bucket must be set/ },
  {
    why: "a backup without a secret key",
    spec: backup({ bucket: "fdb", credentials: { accessKeyId: "AK" } }),
    refused: /credentials\.secretAccessKey must be set/,
  },
  { why: "a bucket that is none", spec: backup({ bucket: "a&b=c", credentials }), refused: /s3\.bucket/ },
  { why: "an address with a path", spec: { backup: { s3: { endpoint: "https://a/b?c" } } }, refused: /s3\.endpoint/ },
  { why: "a volume that grows", before: { storage: { size: "1Gi" } }, spec: { storage: { size: "2Gi" } } },
  {
    why: "a volume that shrinks",
    before: { storage: { size: "2Gi" } },
    spec: { storage: { size: "1Gi" } },
    refused: /storage\.size can grow but not shrink/,
  },
  {
    why: "another storage class",
    before: { storage: { storageClass: "a" } },
    spec: { storage: { storageClass: "b" } },
    refused: /storageClass is immutable/,
  },
];

const check = await ruleChecker(foundationdb);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));
