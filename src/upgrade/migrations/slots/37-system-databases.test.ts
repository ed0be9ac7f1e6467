import assert from "node:assert/strict";
import test from "node:test";
import { pinnedImage } from "./37-system-databases.ts";

const of = (tag: string) => `registry.test:5000/postgresql:${tag}`;
const pinned = "ghcr.io/cloudnative-pg/postgresql:17.7-standard-trixie";

for (const { why, now, to } of [
  { why: "none", now: undefined, to: pinned },
  { why: "an empty one", now: "", to: pinned },
  { why: "another 17", now: of("17.2"), to: pinned },
  { why: "a 17 of another system", now: of("17.7-bookworm"), to: pinned },
  { why: "the one itself", now: pinned, to: undefined },
  { why: "a bare tag of another major", now: of("16.4"), to: of("16.4-standard-trixie") },
  { why: "a tag of another major that says its system", now: of("16.4-bookworm"), to: undefined },
  { why: "a major alone", now: of("16"), to: undefined },
  { why: "a digest", now: "registry.test:5000/postgresql@sha256:00", to: undefined },
  { why: "no tag, with a port", now: "registry.test:5000/postgresql", to: undefined },
])
  test(`a system database's image: ${why}`, () => assert.equal(pinnedImage(now), to));
