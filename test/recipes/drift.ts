/** How R13 is proven of applications: what people do by hand to all that one owns, and what becomes of it. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { PersistentVolumeClaim, Pod, type PodObject } from "../../src/contracts/core.ts";
import { impactOf } from "../../src/contracts/impact.ts";
import { impactRulesOf } from "../../src/contracts/index.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { Request } from "../../src/kube/request.ts";
import { entriesOf } from "../../src/reconcile/owned-fields.ts";
import { nameOf } from "../../src/reconcile/problem.ts";
import { conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { managedBy, type Owned, ownedBy } from "./inventory.ts";
import type { Order } from "./orders.ts";

const cloud = await startCloud();
const { admin } = cloud;
const foreign = "example.org/mine";

/** What is written once and from then on is as people have it, each with the reason. All else comes back. */
const leftAlone: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Etcd: {
    "etcd-ca-tls": "made empty, so that it is there; what is in it is cert-manager's",
    "etcd-client-tls": "made empty, so that it is there; what is in it is cert-manager's",
  },
  OpenSearch: {
    "opensearch-x-security-config":
      "the security plugin's files, which administrators change, and which the servers keep for themselves once started",
  },
};

/** Paths of single values that our controllers hold, those of the object's own content before its metadata. */
function heldValues({ entry, object }: Owned): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const walk = (fields: unknown, path: readonly string[]): void => {
    if (!isRecord(fields)) return;
    for (const [key, below] of Object.entries(fields)) {
      if (!key.startsWith("f:")) continue; // within lists
      const at = [...path, key.slice(2)];
      const value = valueAt(object, ...at);
      if (["string", "number", "boolean"].includes(typeof value)) paths.push(at);
      else walk(below, at);
    }
  };
  // Secrets with generated values come by POST, whose fields are held by Update.
  for (const operation of ["Apply", "Update"] as const) {
    for (const { fieldsV1 } of entriesOf(object, "cozystack", operation)) walk(fieldsV1, []);
  }
  // The proof of ownership is no field of the application's; a generated value that somebody changed is the value.
  const isField = (path: readonly string[]) =>
    !path.includes("internal.cozystack.io/owner") && !(entry.generated === true && path[0] === "data");
  return paths.filter(isField).sort((a, b) => Number(a[0] === "metadata") - Number(b[0] === "metadata"));
}

function otherValue({ object }: Owned, path: readonly string[]): unknown {
  const value = valueAt(object, ...path);
  if (object.kind === "Secret" && path[0] !== "metadata") return "b3RoZXI=";
  return typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : `${value}x`;
}

/** What a person did this way is answered by a question, by another object, or is kept: it does not just come back. */
function isGrave({ entry, object }: Owned, path: readonly string[], other: unknown): boolean {
  const impact = impactOf(impactRulesOf(entry.ref.group, entry.ref.kind), path, other, valueAt(object, ...path));
  return path[0] !== "metadata" && (impact === "replaces" || impact === "losesData");
}

const pointer = (path: readonly string[]) =>
  path.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
const live = ({ kind, object }: Owned) => admin.get(kind, object.metadata.name, object.metadata.namespace);

/** Changes the first value that the API server lets a person change, and adds something of their own. Gives its path. */
async function editByHand(owned: Owned): Promise<readonly string[]> {
  const { kind, object } = owned;
  const { name, namespace, annotations } = object.metadata;
  const mine =
    annotations === undefined
      ? ({ op: "add", path: "/metadata/annotations", value: { [foreign]: "yes" } } as const)
      : ({ op: "add", path: pointer(["metadata", "annotations", foreign]), value: "yes" } as const);
  for (const path of heldValues(owned)) {
    const value = otherValue(owned, path);
    if (isGrave(owned, path, value)) continue;
    try {
      await admin.jsonPatch(kind, name, namespace, [{ op: "replace", path: pointer(path), value }, mine]);
      return path;
    } catch (error) {
      if (!isApiError(error, "Invalid", "BadRequest", "Forbidden")) throw error;
    }
  }
  return assert.fail(`nothing of ${nameOf(owned.entry.ref)} can be changed`);
}

/** Writes of the controllers to the object itself since `from`. */
function writesTo({ object, kind }: Owned, from: number): readonly Request[] {
  const { name, namespace } = object.metadata;
  const isIts = (one: Request) => one.kind === kind.kind && one.group === kind.group && one.name === name;
  return cloud.writes
    .slice(from)
    .filter((one) => isIts(one) && one.namespace === namespace && !one.path.includes("/status?"));
}

/** Waits until our controllers have written nothing in a namespace for a while. */
async function quiet(namespace: string): Promise<void> {
  const count = () => cloud.writes.filter((one) => one.namespace === namespace).length;
  for (let before = -1; before !== count(); await sleep(300)) before = count();
}

/** Writes after the first. An application has its own controller's writes as well: nothing is said of those here. */
function again(writes: readonly Request[]): readonly string[] {
  const counted = writes.filter(({ group }) => group !== "apps.cozystack.io");
  return counted.slice(1).map(({ verb, path }) => `${verb} ${path}`);
}

/** Of what is written once, those objects whose values nobody made up. */
async function writtenOnce({ app, name }: Order, namespace: string): Promise<readonly Owned[]> {
  const once = await ownedBy("createOnly", cloud, app, name, namespace);
  return once.filter(({ entry }) => entry.generated !== true);
}

/** Whether there is anything of ours in it. */
const isFilled = (one: Owned): boolean => heldValues(one).some(([field]) => field !== "type");

/** Pods that have the claim as a volume. */
async function podsWith({ object }: Owned): Promise<readonly PodObject[]> {
  const { name, namespace = "" } = object.metadata;
  if (object.kind !== PersistentVolumeClaim.kind) return [];
  const { items } = await admin.list(Pod, { namespace });
  const isIts = ({
    persistentVolumeClaim: volume,
  }: {
    readonly persistentVolumeClaim?: { readonly claimName: string };
  }) => volume?.claimName === name;
  return items.filter(({ spec }) => spec.volumes?.some(isIts) === true);
}

/** A claim in use stays until its pods end. Meanwhile that is said, once, and nothing is tried. Then ends its pods. */
async function endUse(order: Order, one: Owned, pods: readonly PodObject[], from: number): Promise<void> {
  const { name, namespace = "" } = one.object.metadata;
  const said = await eventually(`${order.app.kind} says that ${name} is in use`, async () => {
    const ready = conditionOf(await cloud.get(order.app, order.name, namespace), "Ready");
    return ready?.reason === "WaitingForObject" ? ready.message : undefined;
  });
  assert.ok(said.includes(nameOf(one.entry.ref)) && said.includes("for as long as a pod uses it"), said);
  await quiet(namespace);
  const settled = cloud.writes.length;
  await sleep(2_000);
  const tried = cloud.writes.slice(settled).filter((write) => write.namespace === namespace);
  assert.deepEqual(
    tried.map(({ path }) => path),
    [],
    `nothing is written while ${name} is in use`,
  );
  assert.deepEqual(writesTo(one, from), [], `${name} is left alone`);
  assert.equal((await live(one))?.metadata.uid, one.object.metadata.uid);
  for (const pod of pods) await admin.delete(Pod, pod.metadata.name, namespace);
}

/** Fails with what the application says of itself. */
function explained({ app, name }: Order, namespace: string) {
  return async (error: unknown): Promise<never> => {
    const said = conditionOf(await cloud.get(app, name, namespace), "Ready");
    return assert.fail(`${String(error)}; it says ${said?.reason}: ${said?.message}`);
  };
}

/** Says and tries R13 of applications. Called once by a test file. */
export function proveDrift(orders: readonly Order[]): void {
  describe("R13: an owned field changed by hand comes back by one write, a foreign one stays", {
    concurrency: 3,
  }, () => {
    for (const order of orders) {
      const { app, name, spec } = order;
      test(app.kind, async () => {
        const namespace = await cloud.tenant(`e${app.kind.toLowerCase()}`);
        await cloud.order(app, name, namespace, spec);
        await cloud.ready(app, name, namespace);
        await sleep(500);
        const from = cloud.writes.length;
        const owned = await managedBy(cloud, app, name, namespace);
        assert.ok(owned.length > 0);
        const once = await writtenOnce(order, namespace);
        assert.deepEqual(
          once.map(({ object }) => object.metadata.name),
          Object.keys(leftAlone[app.kind] ?? {}),
          "what does not come back is declared",
        );
        const edited = await Promise.all(owned.map(async (one) => ({ one, path: await editByHand(one) })));
        // In what was made empty there is nothing of ours to change.
        const kept = await Promise.all(
          once.filter(isFilled).map(async (one) => ({ one, path: await editByHand(one) })),
        );
        for (const { one, path } of edited) {
          const what = `${nameOf(one.entry.ref)} ${path.join(".")}`;
          const before = valueAt(one.object, ...path);
          await eventually(`${what} is back`, async () => valueAt(await live(one), ...path) === before).catch(
            explained(order, namespace),
          );
          const now = await live(one);
          assert.equal(now?.metadata.annotations?.[foreign], "yes", `${what}: the foreign annotation stays`);
        }
        await cloud.ready(app, name, namespace);
        await sleep(500);
        for (const { one, path } of edited) {
          assert.deepEqual(again(writesTo(one, from)), [], `one write to ${nameOf(one.entry.ref)} ${path.join(".")}`);
        }
        for (const { one, path } of kept) {
          const what = `${nameOf(one.entry.ref)} ${path.join(".")}`;
          assert.equal(valueAt(await live(one), ...path), otherValue(one, path), `${what} stays as it was changed`);
          assert.deepEqual(writesTo(one, from), [], `no write to ${what}`);
        }
      });
    }
  });

  describe("R13: what a person deletes is made again, by one write", { concurrency: 3 }, () => {
    for (const order of orders) {
      const { app, name, spec } = order;
      test(app.kind, async () => {
        const namespace = await cloud.tenant(`d${app.kind.toLowerCase()}`);
        await cloud.order(app, name, namespace, spec);
        await cloud.ready(app, name, namespace);
        // A namespace takes everything with it; generated values cannot be made again.
        const managed = (await managedBy(cloud, app, name, namespace)).filter(
          ({ object, entry }) => object.kind !== "Namespace" && entry.generated !== true,
        );
        // Not tried: what was made empty. Who fills it may make it again before us, and we refuse that as somebody else's.
        const owned = [...managed, ...(await writtenOnce(order, namespace)).filter(isFilled)];
        // One by one, each when the one before has been answered by everybody: what operators make anew may change others.
        for (const one of owned) {
          await quiet(namespace);
          const { kind, object } = one;
          const what = nameOf(one.entry.ref);
          const before = (await live(one))?.metadata.uid;
          const from = cloud.writes.length;
          const pods = await podsWith(one);
          await admin.delete(kind, object.metadata.name, object.metadata.namespace);
          if (pods.length > 0) await endUse(order, one, pods, from);
          await eventually(`${what} is back`, async () => {
            const now = await live(one);
            return now !== undefined && now.metadata.uid !== before;
          }).catch(explained(order, namespace));
          assert.deepEqual(again(writesTo(one, from)), [], `one write to ${what}`);
        }
        await cloud.ready(app, name, namespace);
      });
    }
  });
}
