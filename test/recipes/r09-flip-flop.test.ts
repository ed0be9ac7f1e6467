/** R9: changed to and fro a hundred times, an application ends as it was made, and nothing of it was deleted and remade. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { canonical } from "../../src/reconcile/digest.ts";
import { kindOf } from "../schema/install.ts";
import { startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { difference } from "./difference.ts";
import { orders } from "./orders.ts";

const cloud = await startCloud();
const { admin } = cloud;

/** What of the objects that the controller applies must be as before: all but what the API server and operators say. */
function applied(objects: readonly KubeObject[]): ReadonlyMap<string, string> {
  const ours = objects.filter(({ metadata }) => metadata.annotations?.["internal.cozystack.io/owner"] !== undefined);
  return new Map(
    ours.map((object) => {
      const { resourceVersion: _, generation: __, managedFields: ___, ...metadata } = object.metadata;
      const rest = isRecord(object) ? { ...object, status: undefined } : object;
      return [`${object.kind} ${metadata.namespace ?? ""}/${metadata.name}`, canonical({ ...rest, metadata })];
    }),
  );
}

/** What is changed to and fro instead where the way back would lose data: that is held until a person allows it. */
const harmless: Readonly<Record<string, object>> = {
  // Its chart deletes the volume of a server that goes.
  NATS: { external: true },
};

describe("R9: v1, v2, v1, again and again, ends as v1, with every object that was there before", {
  concurrency: true,
}, () => {
  for (const { app, spec, ...order } of orders) {
    const changed = harmless[app.kind] ?? order.changed;
    // The hundred times of the recipe for one kind, fewer for the others: the path is the same for all.
    const rounds = app.kind === "Postgres" ? 100 : 20;
    test(`${app.kind}, ${rounds} times`, async () => {
      assert.notDeepEqual(changed, {}, "there is something to change");
      const namespace = await cloud.tenant(`f${app.kind.toLowerCase()}`);
      await cloud.order(app, "x", namespace, spec);
      const first = await cloud.ready(app, "x", namespace);
      const before = applied(await cloud.everything(namespace));
      assert.ok(before.size > 0);
      const set = (value: unknown) =>
        admin.jsonPatch(kindOf(app), "x", namespace, [{ op: "replace", path: "/spec", value }]);
      const v1 = valueAt(first, "spec");
      assert.ok(isRecord(v1));
      for (let round = 0; round < rounds; round += 1) {
        await set({ ...v1, ...changed });
        await set(v1);
      }
      await cloud.ready(app, "x", namespace);
      let left: readonly string[] = [];
      await eventually("everything is as before", async () => {
        left = difference(before, applied(await cloud.everything(namespace)));
        return left.length === 0;
      }).catch((error: unknown) => assert.fail(`${String(error)}: ${left.join("\n")}`));
    });
  }
});
