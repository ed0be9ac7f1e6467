import assert from "node:assert/strict";
import { test } from "node:test";
import { Cluster } from "../contracts/postgresql-cnpg-io.ts";
import { databaseImage } from "./service-database.ts";

const of = (tag: string) => `ghcr.io/cloudnative-pg/postgresql:${tag}`;
const rows = [
  { why: "a new one", live: undefined, is: of("17.7-standard-trixie") },
  { why: "an older patch of the same major version", live: of("17.4"), is: of("17.7-standard-trixie") },
  { why: "with a flavour", live: of("17.2-bookworm"), is: of("17.7-standard-trixie") },
  { why: "another major version keeps its own", live: of("16.11"), is: of("16.11-standard-trixie") },
  { why: "another major version with a flavour", live: of("16.11-bookworm"), is: of("16.11-bookworm") },
  { why: "by digest", live: "registry/postgres@sha256:4f53cda1", is: "registry/postgres@sha256:4f53cda1" },
] as const;

for (const { why, live, is } of rows) {
  test(`image of a service's database: ${why}`, () => {
    const cluster = live === undefined ? undefined : Cluster("db", { spec: { instances: 2, imageName: live } });
    assert.equal(databaseImage(cluster), is);
  });
}
