import assert from "node:assert/strict";
import { test } from "node:test";
import { cases, denied } from "../../../test/support/check-cases.ts";
import { volumeNames } from "../../apps/seaweedfs/naming.ts";
import { type Direction, directionOf, directionText } from "./seaweedfs-direction.ts";
import { type AuditedStore, seaweedfsNamingCheck } from "./seaweedfs-naming.ts";
import { schemeOf } from "./seaweedfs-objects.ts";
import { read } from "./source.ts";

const chart = "data1-seaweedfs-volume-0";
const renamed = "data1-seaweedfs-system-volume-0";

function store(namespace: string, claims: readonly string[], direction?: Direction): AuditedStore {
  const live = { claims: claims.map((name) => ({ metadata: { name } })), sets: [] };
  const names = volumeNames("seaweedfs", live);
  return { place: { namespace, name: "seaweedfs" }, names, claims: [], scheme: undefined, direction };
}

const audit = (...stores: readonly AuditedStore[]) => ({ audit: read({ stores, unread: [] }) });

cases(seaweedfsNamingCheck, [
  {
    why: "class L, as of 1.4 (feature 36)",
    facts: audit(store("tenant-l", [chart])),
    is: "pass",
    says: /tenant-l\/seaweedfs: class L/,
  },
  {
    why: "one tenant of each class (feature 29)",
    facts: audit(
      store("tenant-l", [chart]),
      store("tenant-s", [renamed]),
      store("tenant-m", [chart, renamed], { is: "legacyOriginal" }),
    ),
    is: "fail",
    severity: "blocking",
    objects: ["tenant-s/seaweedfs", "tenant-m/seaweedfs"],
    says: /class S: .*class MIXED: .*delete them by name.*not empty for that/,
  },
  { why: "no stores", facts: audit(), is: "notApplicable" },
  { why: "a denied list (feature 13)", facts: { audit: denied }, is: "couldNotTell" },
  {
    why: "an empty table beside a payload that could not be read (feature 14)",
    facts: { audit: read({ stores: [], unread: [{ what: "Secret tenant-a/x", problem: "no JSON" }] }) },
    is: "couldNotTell",
    says: /Secret tenant-a\/x/,
  },
]);

const made = (...times: readonly (number | undefined)[]) => ({ claims: times.length, made: times });
const directions: readonly (readonly [
  why: string,
  chart: readonly (number | undefined)[],
  release: readonly (number | undefined)[],
  is: Direction["is"],
])[] = [
  ["names of the release came later", [1, 2], [3, 4], "legacyOriginal"],
  ["names of the chart came later", [5], [3, 4], "renamedOriginal"],
  ["they overlap", [1, 4], [3, 5], "overlap"],
  ["they are of the same moment", [3], [3], "overlap"],
  ["one side has no volume", [], [3], "unknown"],
  ["the other side has none", [3], [], "unknown"],
  ["an age is not known", [1, undefined], [3], "unknown"],
  ["an age is no time", [1], [Number.NaN], "unknown"],
];
for (const [why, chartNamed, releaseNamed, is] of directions)
  test(`which names came first: ${why}: ${is}`, () => {
    const direction = directionOf(made(...chartNamed), made(...releaseNamed));
    assert.equal(direction.is, is);
    assert.match(directionText(direction, "legacy").join("; "), /after the chart; .*not empty for that/);
  });

const schemes: readonly (readonly [manifest: string, is: ReturnType<typeof schemeOf>])[] = [
  ["metadata:\n  name: seaweedfs-master\n", "legacy"],
  ["metadata:\n  name: x-system-seaweedfs-master\n", "renamed"],
  ["metadata:\n  name: x-system-master\n", "renamed"],
  ["metadata:\n  name: seaweedfs-master-0\n", undefined],
  ["", undefined],
];
for (const [manifest, is] of schemes)
  test(`the first manifest tells ${is} of ${JSON.stringify(manifest)}`, () =>
    assert.equal(schemeOf(manifest, "x-system"), is));
