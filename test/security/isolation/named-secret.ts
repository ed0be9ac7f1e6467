/** An application that names a Secret of the platform's. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Secret } from "../../../src/kube/core-kinds.ts";
import { TENANT_RESOURCE } from "../../../src/sdk/visibility.ts";
import { kindOf } from "../../schema/install.ts";
import { appOf, conditionOf } from "../../support/cloud.ts";
import { eventually } from "../../support/eventually.ts";
import { admin, cluster, loose, namespace, strongest } from "./people.ts";

describe("an application that names a Secret of the platform's", () => {
  const ClickHouse = kindOf(appOf("ClickHouse"));
  const Installation = loose("clickhouse.altinity.com", "v1", "ClickHouseInstallation", "clickhouseinstallations");
  /** Sends what it is given to a server of its author's, as its access key. */
  const thief = (name: string) => ({
    replicas: 1,
    backup: {
      enabled: true,
      s3CredentialsSecret: { name, accessKeyIDKey: "values.yaml", endpointKey: "endpoint" },
    },
  });
  const order = (name: string, secret: string) =>
    strongest["super-admin"].create(ClickHouse, ClickHouse(name, { namespace, spec: thief(secret) }));
  const waitsWith = (name: string) =>
    eventually(`${name} waits`, async () => {
      const ready = conditionOf(await strongest["super-admin"].get(ClickHouse, name, namespace), "Ready");
      return ready?.status === "False" ? `${ready.reason}: ${ready.message}` : undefined;
    });

  test("waits as for one that does not exist, and nothing is made; one that is shown is taken", async () => {
    cluster.startControllers();
    const hidden = "cozystack-values";
    assert.ok(await admin.get(Secret, hidden, namespace), "the platform's Secret is there");
    await order("thief", hidden);
    await order("hoper", "nosuch");
    const [stolen, missing] = await Promise.all([waitsWith("thief"), waitsWith("hoper")]);
    assert.match(stolen, /^WaitingForObject: /);
    assert.equal(stolen.replaceAll(hidden, "X"), missing.replaceAll("nosuch", "X"));
    assert.equal(await admin.get(Installation, "clickhouse-thief", namespace), undefined);
    await admin.create(
      Secret,
      Secret("nosuch", {
        namespace,
        labels: { [TENANT_RESOURCE]: "true" },
        stringData: { endpoint: "https://example.org" },
      }),
    );
    await eventually("the other one is made", () => admin.get(Installation, "clickhouse-hoper", namespace));
    assert.equal(await admin.get(Installation, "clickhouse-thief", namespace), undefined);
    await cluster.stopControllers();
  });
});
