import assert from "node:assert/strict";
import { test } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import { eventually } from "../../test/support/eventually.ts";
import {
  admin,
  names,
  password,
  setSpec,
  start,
  untilReady,
  untilReason,
} from "../../test/support/gizmo-controller.ts";
import { Gizmo, gizmoObject } from "../../test/support/synthetic-app.ts";
import { ConfigMap, Namespace, PersistentVolumeClaim } from "../contracts/core.ts";
import type { Client } from "../kube/client.ts";
import { ApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import type { ControllerOptions } from "./controller.ts";
import { FINALIZER } from "./finalizer.ts";
import { conditionsOf } from "./status.ts";

const engine = await testEngine();

test("an object of somebody else is neither taken nor deleted", async (t) => {
  const { ns } = await start(t);
  await admin.create(ConfigMap, ConfigMap("gizmo-a-conf", { namespace: ns, data: { size: "theirs" } }));
  await admin.create(Gizmo, gizmoObject("a", ns));
  assert.match(await untilReason(ns, "a", "ForeignObject"), /gizmo-a-conf/);
  assert.ok((await names(ns)).includes("Service gizmo-a-svc"));
  await admin.delete(Gizmo, "a", ns);
  await eventually("a is gone", async () => (await admin.get(Gizmo, "a", ns)) === undefined);
  assert.deepEqual(await names(ns), ["ConfigMap gizmo-a-conf"]);
});

test("R6: with Retain the claim and the password stay, and the next application of the name takes them back", async (t) => {
  const { ns } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { reclaimPolicy: "Retain" }));
  await untilReady(ns, "a");
  const before = await password(ns);
  const claim = PersistentVolumeClaim("data-a", {
    namespace: ns,
    labels: { gizmo: "gizmo-a" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
  await admin.create(PersistentVolumeClaim, claim);
  await admin.delete(Gizmo, "a", ns);
  await eventually("a is gone", async () => (await admin.get(Gizmo, "a", ns)) === undefined);
  assert.deepEqual(await names(ns), ["PersistentVolumeClaim data-a", "Secret gizmo-a-auth"]);
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReady(ns, "a");
  assert.equal(await password(ns), before);
  await admin.delete(Gizmo, "a", ns);
  await eventually("all is gone", async () => (await names(ns)).length === 0);
});

test("a foreign finalizer on an owned object is named; a forced deletion goes on and says what it left", async (t) => {
  const abandoned: string[] = [];
  const { ns } = await start(t, { onAbandoned: (_, objects) => abandoned.push(...objects.map(({ name }) => name)) });
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReady(ns, "a");
  await admin.mergePatch(ConfigMap, "gizmo-a-conf", ns, { metadata: { finalizers: ["example.com/hold"] } });
  await admin.delete(Gizmo, "a", ns);
  const message = await eventually(
    "blocked",
    async () => {
      const conditions = conditionsOf(valueAt(await admin.get(Gizmo, "a", ns), "status"));
      return conditions.find(({ reason }) => reason === "DeletionBlocked")?.message;
    },
    10,
  );
  assert.match(message, /ConfigMap .*gizmo-a-conf.*example\.com\/hold/);
  await admin.mergePatch(Gizmo, "a", ns, { metadata: { annotations: { "apps.cozystack.io/force-delete": "true" } } });
  await eventually("a is gone", async () => (await admin.get(Gizmo, "a", ns)) === undefined);
  assert.deepEqual(abandoned, ["gizmo-a-conf"]);
  await admin.mergePatch(ConfigMap, "gizmo-a-conf", ns, { metadata: { finalizers: [] } });
});

test("what a forced deletion leaves is said once, however often its last writes are refused", async (t) => {
  const said: string[] = [];
  const refused: string[] = [];
  const base = engine.client("cozystack");
  const refuse = (what: string): void => {
    if (refused.filter((one) => one === what).length >= 2) return;
    refused.push(what);
    throw new ApiError("Conflict", "somebody wrote it meanwhile");
  };
  const client: Client = {
    ...base,
    async delete(kind, ...more) {
      if (kind.kind === "Inventory") refuse("inventory");
      return base.delete(kind, ...more);
    },
    async replace(kind, object, options) {
      if (kind.kind === "Gizmo" && object.metadata.finalizers?.includes(FINALIZER) === false) refuse("finalizer");
      return base.replace(kind, object, options);
    },
  };
  const onAbandoned: ControllerOptions["onAbandoned"] = (_, objects) =>
    said.push(objects.map(({ name }) => name).join());
  const { ns } = await start(t, { client, onAbandoned });
  await admin.create(Gizmo, gizmoObject("a", ns));
  await untilReady(ns, "a");
  await admin.mergePatch(ConfigMap, "gizmo-a-conf", ns, { metadata: { finalizers: ["example.com/hold"] } });
  await admin.mergePatch(Gizmo, "a", ns, { metadata: { annotations: { "apps.cozystack.io/force-delete": "true" } } });
  await admin.delete(Gizmo, "a", ns);
  await eventually("a is gone", async () => (await admin.get(Gizmo, "a", ns)) === undefined);
  assert.deepEqual(refused, ["inventory", "inventory", "finalizer", "finalizer"]);
  assert.deepEqual(said, ["gizmo-a-conf"]);
  await admin.mergePatch(ConfigMap, "gizmo-a-conf", ns, { metadata: { finalizers: [] } });
});

test("kept objects stay, and are found again by the next application of the name", async (t) => {
  const { ns } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { kept: true }));
  await untilReady(ns, "a");
  await setSpec(ns, { kept: false });
  await eventually(
    "released",
    async () =>
      valueAt(
        await admin.get(ConfigMap, "gizmo-a-kept", ns),
        "metadata",
        "annotations",
        "internal.cozystack.io/owner",
      ) === undefined,
  );
  await setSpec(ns, { kept: true });
  await eventually(
    "taken back",
    async () =>
      valueAt(
        await admin.get(ConfigMap, "gizmo-a-kept", ns),
        "metadata",
        "annotations",
        "internal.cozystack.io/retained",
      ) === undefined,
  );
  await admin.delete(Gizmo, "a", ns);
  await eventually("a is gone", async () => (await admin.get(Gizmo, "a", ns)) === undefined);
  assert.deepEqual(await names(ns), ["ConfigMap gizmo-a-kept"]);
});

test("an instance goes with its namespace, which takes its inventory and everything else away meanwhile", async (t) => {
  const { ns, errors } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { extra: ["one"], job: "x" }));
  await eventually("applied", async () => (await names(ns)).length === 6);
  await admin.delete(Namespace, ns);
  // The namespace itself may take its time behind others.
  await eventually("a is gone", async () => (await admin.get(Gizmo, "a", ns)) === undefined, 120);
  await eventually("nothing is left", async () => (await names(ns)).length === 0);
  assert.deepEqual(
    errors.filter((error) => !error.includes("Conflict")),
    [],
  );
});
