/** Names of object stores' volumes, judged on the server's listener, asked by the API server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { seaweedfs } from "../../src/apps/seaweedfs/index.ts";
import { ANCESTORS, valueLabels } from "../../src/apps/tenant/place.ts";
import { Namespace, PersistentVolumeClaim } from "../../src/contracts/core.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { Kind, UnknownObject } from "../../src/kube/object.ts";
import { kindOf } from "../schema/install.ts";
import { namespaceValues } from "../support/render.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { unique } from "./fixtures.ts";

const ApplicationPlan: Kind<UnknownObject> = {
  group: "core.cozystack.io",
  version: "v1alpha1",
  kind: "ApplicationPlan",
  plural: "applicationplans",
  namespaced: true,
};

export function objectStoreNamesSuite(engine: () => ServerEngine): void {
  test("an object store is refused beside volumes that it would not use (classes S and MIXED), and so are its changes and their plans", async () => {
    const client = engine().client();
    const namespace = unique("tenant-t");
    const labels = valueLabels({ ...namespaceValues, host: `${namespace.slice(7)}.test` });
    await client.create(Namespace, Namespace(namespace, { labels, annotations: { [ANCESTORS]: "tenant-root" } }));
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

    const application = {
      apiVersion: "apps.cozystack.io/v1alpha1",
      kind: "SeaweedFS",
      metadata: { name: "seaweedfs", namespace },
    };
    const plan = (spec: object) =>
      client.create(ApplicationPlan, {
        apiVersion: "core.cozystack.io/v1alpha1",
        kind: "ApplicationPlan",
        metadata: { name: "p", namespace },
        spec: { application: { ...application, spec } },
      });
    await refused(plan({ host: "s3.example.org" }), /cannot be told/);
    const [problem] = [valueAt(await plan({}), "status", "refused")].flat();
    assert.equal(valueAt(problem, "code"), "UnsafeNames");
    await client.delete(kind, "seaweedfs", namespace);
  });
}
