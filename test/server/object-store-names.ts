/** Names of object stores' volumes, judged on the server's listener, asked by the API server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { seaweedfs } from "../../src/apps/seaweedfs/index.ts";
import { PersistentVolumeClaim } from "../../src/contracts/core.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { kindOf } from "../schema/install.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { tenant } from "./fixtures.ts";

export function objectStoreNamesSuite(engine: () => ServerEngine): void {
  test("an object store is refused beside volumes that it would not use (classes S and MIXED), and so are its changes", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const kind = kindOf(seaweedfs);
    const claim = (name: string) =>
      client.create(
        PersistentVolumeClaim,
        PersistentVolumeClaim(name, {
          namespace,
          spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        }),
      );
    const order = (spec: object, dryRun = false) =>
      client.create(kind, kind("seaweedfs", { namespace, spec }), { dryRun });
    const refused = (work: Promise<unknown>, says: RegExp) =>
      assert.rejects(work, (error) => {
        assert.ok(isApiError(error, "Invalid"), String(error));
        assert.match(error.message, says);
        return true;
      });

    await claim("data1-seaweedfs-system-volume-0");
    await refused(order({}), /empty store/);
    await refused(order({}, true), /data1-seaweedfs-system-volume-0/);
    await order({ topology: "Client", filer: { grpcHost: "f" } }, true);
    await client.delete(PersistentVolumeClaim, "data1-seaweedfs-system-volume-0", namespace);
    await claim("data1-seaweedfs-volume-0");
    await order({});
    await claim("data1-seaweedfs-system-volume-1");
    await refused(
      client.mergePatch(kind, "seaweedfs", namespace, { spec: { host: "s3.example.org" } }),
      /cannot be told/,
    );
    await client.mergePatch(kind, "seaweedfs", namespace, { metadata: { labels: { team: "a" } } });
    await client.delete(kind, "seaweedfs", namespace);
  });
}
