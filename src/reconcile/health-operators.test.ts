/** What operators of databases say about their objects, in words of their own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { healthOf } from "./health.ts";

const mongodb = { apiVersion: "psmdb.percona.com/v1", kind: "PerconaServerMongoDB" };
const restore = { apiVersion: "psmdb.percona.com/v1", kind: "PerconaServerMongoDBRestore" };
const search = { apiVersion: "opensearch.opster.io/v1", kind: "OpenSearchCluster" };
const fdb = { apiVersion: "apps.foundationdb.org/v1beta2", kind: "FoundationDBCluster" };
const fdbBackup = { ...fdb, kind: "FoundationDBBackup" };

const release = { apiVersion: "helm.toolkit.fluxcd.io/v2", kind: "HelmRelease" };
const released = (reason: string, message: string) => ({
  conditions: [{ type: "Ready", status: "False", reason, message }],
});

const running = { phase: "RUNNING", initialized: true, health: "green" };
const reconciled = (generation: number) => ({ generations: { reconciled: generation } });
const available = { health: { available: true } };

const rows = [
  {
    why: "a release that Helm refuses",
    of: release,
    status: released("InstallFailed", "Helm install failed: no such value"),
    health: "failed",
    says: /no such value/,
  },
  {
    why: "a release into a cluster that does not answer yet",
    of: release,
    status: released("InstallFailed", "Helm install failed: Kubernetes cluster unreachable: connection refused"),
    health: "inProgress",
    says: /unreachable/,
  },
  { why: "MongoDB that nobody has looked at", of: mongodb, status: {}, health: "inProgress", says: /not reported/ },
  { why: "MongoDB that starts", of: mongodb, status: { state: "initializing" }, health: "inProgress", says: /initial/ },
  { why: "MongoDB that serves", of: mongodb, status: { state: "ready" }, health: "current" },
  {
    why: "MongoDB with an error, which may pass",
    of: mongodb,
    status: { state: "error", message: "no quorum" },
    health: "inProgress",
    says: /state error: no quorum/,
  },
  { why: "a restore that waits for its cluster", of: restore, status: { state: "waiting" }, health: "inProgress" },
  { why: "a restore that is done", of: restore, status: { state: "ready" }, health: "current" },
  {
    why: "a restore that went wrong, which nobody tries again",
    of: restore,
    status: { state: "error", error: "no such backup" },
    health: "failed",
    says: /no such backup/,
  },
  { why: "a restore that was refused", of: restore, status: { state: "rejected" }, health: "failed" },
  { why: "OpenSearch that nobody has looked at", of: search, status: {}, health: "inProgress", says: /not reported/ },
  {
    why: "OpenSearch whose nodes are still strangers",
    of: search,
    status: { ...running, initialized: false },
    health: "inProgress",
  },
  { why: "OpenSearch that lacks data", of: search, status: { ...running, health: "red" }, health: "inProgress" },
  { why: "OpenSearch that lacks copies", of: search, status: { ...running, health: "yellow" }, health: "current" },
  { why: "OpenSearch that is whole", of: search, status: running, health: "current" },
  { why: "FoundationDB that nobody has looked at", of: fdb, status: {}, health: "inProgress" },
  {
    why: "FoundationDB that is done with what was before",
    of: fdb,
    status: { ...reconciled(1), ...available },
    health: "inProgress",
    says: /generation 1, not 2/,
  },
  { why: "FoundationDB that does not serve", of: fdb, status: reconciled(2), health: "inProgress", says: /available/ },
  { why: "FoundationDB that serves", of: fdb, status: { ...reconciled(2), ...available }, health: "current" },
  { why: "a backup of it, which says nothing of serving", of: fdbBackup, status: reconciled(2), health: "current" },
] as const;

for (const { why, of, status, health, ...row } of rows) {
  test(`${why} is ${health}`, () => {
    const object = { ...of, metadata: { name: "a", generation: 2 }, status };
    const found = healthOf(object);
    assert.equal(found.is, health);
    if ("says" in row) assert.match("why" in found ? found.why : "", row.says);
  });
}
