import assert from "node:assert/strict";
import { test } from "node:test";
import { renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { foundationdb } from "./index.ts";

const demo = (given: { readonly spec: object }) => renderApp(foundationdb, given);

const s3 = { bucket: "fdb", credentials: { accessKeyId: "AK", secretAccessKey: "SK" } };
const saved = (more: object = {}) => ({ backup: { enabled: true, s3: { ...s3, ...more } } });

const decoded = (value: unknown) => Buffer.from(String(value), "base64").toString("utf8");

test("a backup's agents find their access in a file", () => {
  const rendered = demo({ spec: { ...saved(), cluster: { version: "7.1.26" } } });
  const secret = rendered.object("Secret", "foundationdb-demo-s3-creds");
  const of = (key: string) => decoded(valueAt(secret, "data", key));
  assert.deepEqual([of("AWS_ACCESS_KEY_ID"), of("AWS_SECRET_ACCESS_KEY")], ["AK", "SK"]);
  assert.deepEqual(JSON.parse(of("credentials.json")), {
    accounts: { "AK@s3.us-east-1.amazonaws.com": { secret: "SK" } },
  });
  const spec = valueAt(rendered.object("FoundationDBBackup", "foundationdb-demo-backup"), "spec");
  assert.partialDeepStrictEqual(spec, {
    version: "7.1.26",
    clusterName: "foundationdb-demo",
    backupState: "Running",
    snapshotPeriodSeconds: 3600,
    customParameters: ["backup_agent_snapshot_mode=0"],
  });
  const [agent] = [valueAt(spec, "podTemplateSpec", "spec", "containers")].flat();
  assert.partialDeepStrictEqual(agent, {
    name: "foundationdb",
    env: [{ name: "FDB_BLOB_CREDENTIALS", value: "/var/backup-credentials/credentials.json" }],
    securityContext: { runAsUser: 0 },
    resources: { limits: { cpu: "100m", memory: "128Mi" } },
  });
  const others = rendered.objects.filter(({ kind }) => kind !== "Secret");
  assert.ok(!JSON.stringify(others).includes("SK"));
});

const addresses = [
  { endpoint: "", region: "eu-1", account: "AK@s3.eu-1.amazonaws.com:443", parameters: ["region=eu-1"] },
  {
    endpoint: "https://s3.example.org",
    region: "us-east-1",
    account: "AK@s3.example.org:443",
    parameters: ["region=us-east-1"],
  },
  { endpoint: "s3.example.org:9000", region: "", account: "AK@s3.example.org:9000", parameters: [] },
  { endpoint: "http://minio.a.svc/", region: "", account: "AK@minio.a.svc:80", parameters: ["secure_connection=0"] },
  { endpoint: "http://minio:9000", region: "", account: "AK@minio:9000", parameters: ["secure_connection=0"] },
] as const;

for (const { endpoint, region, account, parameters } of addresses) {
  test(`a backup to ${endpoint || "AWS"} in ${region || "no region"}`, () => {
    const rendered = demo({ spec: saved({ endpoint, region }) });
    const spec = valueAt(rendered.object("FoundationDBBackup", "foundationdb-demo-backup"), "spec");
    assert.deepEqual(valueAt(spec, "blobStoreConfiguration"), {
      accountName: account,
      bucket: "fdb",
      urlParameters: parameters,
    });
    const secret = rendered.object("Secret", "foundationdb-demo-s3-creds");
    const { accounts } = JSON.parse(decoded(valueAt(secret, "data", "credentials.json")));
    assert.deepEqual(Object.keys(accounts), [account.replace(/:\d+$/, "")], "agents look without the port");
  });
}
