import assert from "node:assert/strict";
import { test } from "node:test";
import { type NamingClass, namingProblem, releasePrefix, volumeNames } from "./naming.ts";

const prefixes = [
  { why: "the module", release: "seaweedfs", prefix: "seaweedfs-system-volume" },
  { why: "another name", release: "objstore", prefix: "objstore-system-seaweedfs-volume" },
  { why: "a name with the chart's in it", release: "my-seaweedfs-2", prefix: "my-seaweedfs-2-system-volume" },
  { why: "a name as the volumes'", release: "seaweedfs-volume", prefix: "seaweedfs-volume-system-volume" },
  { why: "a long name is cut", release: "a".repeat(60), prefix: `${"a".repeat(56)}-volume` },
  { why: "no dash is left at the cut", release: `${"a".repeat(55)}-b`, prefix: `${"a".repeat(55)}-volume` },
  { why: "a name cut at both lengths", release: `${"a".repeat(45)}`, prefix: `${"a".repeat(45)}-system-sea-volume` },
] as const;

for (const { why, release, prefix } of prefixes)
  test(`names after the release begin so: ${why}`, () => assert.equal(releasePrefix(release), prefix));

interface ClassRow {
  readonly why: string;
  readonly release?: string;
  readonly claims?: readonly string[];
  readonly sets?: readonly string[];
  readonly is: NamingClass;
}

const classes: readonly ClassRow[] = [
  { why: "nothing there", is: "none" },
  { why: "a claim named as the chart", claims: ["data1-seaweedfs-volume-0"], is: "L" },
  { why: "a StatefulSet named as the chart", sets: ["seaweedfs-volume"], is: "L" },
  { why: "a zone's claims", claims: ["data1-seaweedfs-volume-dc1-0"], sets: ["seaweedfs-volume-dc1"], is: "L" },
  { why: "a claim named after the release", claims: ["data1-seaweedfs-system-volume-0"], is: "S" },
  { why: "a StatefulSet named after the release", sets: ["seaweedfs-system-volume"], is: "S" },
  { why: "a zone's claim named after the release", claims: ["data1-seaweedfs-system-volume-dc1-2"], is: "S" },
  {
    why: "claims of both kinds",
    claims: ["data1-seaweedfs-volume-0", "data1-seaweedfs-system-volume-0"],
    is: "MIXED",
  },
  {
    why: "both, one without claims",
    claims: ["data1-seaweedfs-volume-0"],
    sets: ["seaweedfs-system-volume"],
    is: "MIXED",
  },
  {
    why: "names after the release that begin as the chart's",
    release: "seaweedfs-volume",
    claims: ["data1-seaweedfs-volume-system-volume-0"],
    sets: ["seaweedfs-volume-system-volume"],
    is: "S",
  },
  {
    why: "the chart's names beside such a release",
    release: "seaweedfs-volume",
    claims: ["data1-seaweedfs-volume-0"],
    is: "L",
  },
  {
    why: "a release whose name was cut",
    release: "a".repeat(50),
    claims: [`data1-${"a".repeat(50)}-syste-volume-0`],
    is: "S",
  },
  { why: "other applications' claims", claims: ["data1-minio-volume-0", "data1-x-system-volume-0"], is: "none" },
  { why: "claims of other directories", claims: ["data2-seaweedfs-volume-0", "seaweedfs-volume-0"], is: "none" },
  { why: "the other servers", sets: ["seaweedfs-master", "seaweedfs-filer"], is: "none" },
];

const named = (names: readonly string[] = []) => names.map((name) => ({ metadata: { name } }));

for (const { why, release = "seaweedfs", claims, sets, is } of classes) {
  test(`${is}: ${why}`, () => {
    const found = volumeNames(release, { claims: named(claims), sets: named(sets) });
    assert.equal(found.class, is);
    const problem = namingProblem(found);
    assert.equal(problem === undefined, is === "none" || is === "L");
    for (const name of found.releaseNamed) assert.ok(problem?.message.includes(name), name);
  });
}

test("of many volumes three are named, and how many more there are", () => {
  const claims = named(Array.from({ length: 9 }, (_, index) => `data1-seaweedfs-system-volume-${index}`));
  assert.match(namingProblem(volumeNames("seaweedfs", { claims, sets: [] }))?.message ?? "", /volume-2 and 6 more/);
});
