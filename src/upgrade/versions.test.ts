import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compareVersions,
  imageVersion,
  parseStamp,
  parseVersion,
  stampOf,
  stampText,
  versionText,
} from "./versions.ts";

const texts: readonly (readonly [text: string, is: string | undefined])[] = [
  ["1.5.4", "1.5.4"],
  ["v1.6.2", "1.6.2"],
  ["1.6.0-rc.1", "1.6.0-rc.1"],
  ["v1.6.2+build.7", "1.6.2"],
  [" 1.6.2\n", "1.6.2"],
  ["1.6", undefined],
  ["latest", undefined],
  ["", undefined],
  ["1.6.2@sha256:00", undefined],
];
for (const [text, is] of texts)
  test(`version ${JSON.stringify(text)} is ${is}`, () => {
    const parsed = parseVersion(text);
    assert.equal(parsed === undefined ? undefined : versionText(parsed), is);
  });

test("versions have an order: candidates come before what they become", () => {
  const order = [
    "1.4.9",
    "1.5.0",
    "1.5.4",
    "1.5.10",
    "1.6.0-beta.1",
    "1.6.0-rc.2",
    "1.6.0-rc.10",
    "1.6.0",
    "1.10.0",
    "2.0.0",
  ];
  const sorted = [...order].reverse().flatMap((text) => parseVersion(text) ?? []);
  assert.deepEqual(sorted.sort(compareVersions).map(versionText), order);
});

const stamps: readonly (readonly [version: string, stamp: number | undefined])[] = [
  ["1.4.2", undefined],
  ["1.5.0", 45],
  ["1.5.3", 45],
  ["1.5.4", 46],
  ["1.5.9", 46],
  ["1.6.0-rc.1", 54],
  ["1.6.2", 54],
  ["1.7.0", undefined],
];
for (const [text, stamp] of stamps)
  test(`the stamp of ${text} is ${stamp}`, () => {
    const version = parseVersion(text);
    assert.ok(version);
    assert.equal(stampOf(version), stamp);
  });

test("a stamp is a number, and says what it is of", () => {
  assert.deepEqual(["45", " 46\n", "", "x", "-1", "4.5", undefined].map(parseStamp), [
    45,
    46,
    ...Array(5).fill(undefined),
  ]);
  const said = [44, 45, 46, 50, 54, 55, 57].map(stampText);
  assert.equal(new Set(said).size, 7);
});

const images: readonly (readonly [image: string, is: string | undefined])[] = [
  ["ghcr.io/cozystack/cozystack/cozystack-operator:v1.5.4@sha256:00", "1.5.4"],
  ["registry:5000/operator:v1.6.2", "1.6.2"],
  ["registry:5000/operator", undefined],
  ["operator@sha256:00", undefined],
  ["operator:latest", undefined],
];
for (const [image, is] of images)
  test(`image ${image} is of ${is}`, () => {
    const version = imageVersion(image);
    assert.equal(version === undefined ? undefined : versionText(version), is);
  });
