/** A pass that sees less than there is, as a store does that is late: the API server's refusals make up for it. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { admin, password, start, untilReady } from "../../test/support/gizmo-controller.ts";
import { Gizmo, gizmo, gizmoObject, testContext } from "../../test/support/synthetic-app.ts";
import { impactRulesOf } from "../contracts/index.ts";
import { Inventory } from "../contracts/internal-cozystack-io.ts";
import type { Client } from "../kube/client.ts";
import type { AnyKind, KubeObject } from "../kube/object.ts";
import { systemWorld } from "../kube/world.ts";
import { fixedContext } from "./context.ts";
import { kindLookup, shareApplications } from "./controller.ts";
import { Fights } from "./fights.ts";
import { passOver } from "./instance.ts";
import { PruneWaits } from "./prune.ts";
import { clientView, type View } from "./view.ts";

/** A view from which objects of these kinds are missing until they are asked for, or written by ourselves. */
function lateView(client: Client, late: readonly string[]): View {
  const view = clientView(client);
  const seen = new Set<string>();
  const isHidden = (kind: AnyKind, name: string) => late.includes(kind.kind) && !seen.has(`${kind.kind} ${name}`);
  return {
    ...view,
    look: async (kind, name, namespace) => (isHidden(kind, name) ? { is: "absent" } : view.look(kind, name, namespace)),
    read: async (kind, name, namespace) => (isHidden(kind, name) ? undefined : view.read(kind, name, namespace)),
    wrote: (kind, object) => seen.add(`${kind.kind} ${object.metadata.name}`),
  };
}

function pass(client: Client, object: KubeObject, view: View) {
  return passOver(gizmo, object, {
    client,
    view,
    world: systemWorld,
    kindOf: kindLookup([gizmo]),
    rules: (ref) => impactRulesOf(ref.group, ref.kind),
    context: fixedContext(testContext),
    manager: client.fieldManager,
    randomBytes,
    onUnowned: shareApplications,
    mayAdopt: () => false,
    pending: new Map(),
    onInterest: () => undefined,
    fights: new Fights(),
    prunes: new PruneWaits(),
  });
}

/** An application whose first pass was ended before it said anything. */
async function interrupted(t: Parameters<typeof start>[0]) {
  const { ns, client, stop } = await start(t);
  await admin.create(Gizmo, gizmoObject("a", ns, { managedSecret: true }));
  const { status: _, ...object }: KubeObject & { status?: unknown } = await untilReady(ns, "a");
  await stop();
  return { ns, client, object };
}

test("an inventory that the store does not show is found by writing it; nothing else is written before", async (t) => {
  const { ns, client, object } = await interrupted(t);
  const before = client.counters.writes();
  const view = lateView(client, ["Inventory", "Secret"]);
  const first = await pass(client, object, view);
  assert.equal(first.again, true);
  assert.equal(client.counters.writes() - before, 1, "the one that was refused");
  const secret = await password(ns);
  assert.equal((await pass(client, object, view)).again, true);
  assert.equal(await password(ns), secret);
});

test("made up values never take the place of stored ones, and nothing is made of them", async (t) => {
  const { ns, client, object } = await interrupted(t);
  const secret = await password(ns);
  // As if the crash had been before the inventory.
  await admin.mergePatch(Inventory, "gizmo.a", ns, { metadata: { finalizers: null } });
  await admin.delete(Inventory, "gizmo.a", ns);
  const before = client.counters.writes();
  const view = lateView(client, ["Secret"]);
  assert.equal((await pass(client, object, view)).again, true);
  assert.equal(client.counters.writes() - before, 2, "the inventory, and the Secret that was refused");
  const settled = await pass(client, object, view);
  assert.equal(settled.state.is, "ready");
  assert.equal(await password(ns), secret);
});
