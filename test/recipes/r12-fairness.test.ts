/** R12: a tenant with many applications that never become ready takes nothing from another one. Counted, not timed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Workload } from "../../src/contracts/cozystack-io.ts";
import { appOf, conditionOf, isReady, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";

const cloud = await startCloud();
const app = appOf("VMDisk");
const spec = { source: { image: { name: "ubuntu-24.04" } } };
const names = (count: number) => Array.from({ length: count }, (_, index) => `d${index}`);
const wanted = 100;
const stuck = 50;

test("R12: a hundred orders of one tenant are applied as if fifty of another did not fail", async () => {
  const [a, b] = [await cloud.tenant("a"), await cloud.tenant("b")];
  await cloud.behave("DataVolume", a, "-", "neverReady");
  for (const name of names(stuck)) await cloud.order(app, name, a, spec);
  const blocked = async () => {
    const all = await Promise.all(names(stuck).map((name) => cloud.get(app, name, a)));
    return all.every((one) => conditionOf(one, "Released")?.status === "True" && !isReady(one));
  };
  await eventually("all of A are applied and none is ready", blocked);
  // Volumes are bound in the cluster's own time, some after many seconds: each is counted before that, and once more after it.
  const counted = async () => {
    const { items } = await cloud.admin.list(Workload, { namespace: a });
    return items.length === stuck && items.every(({ status }) => status?.operational === true);
  };
  await eventually("A's volumes are all bound and counted", counted, 90);
  await cloud.rest(3_000);
  const from = cloud.writes.length;

  for (const name of names(wanted)) await cloud.order(app, name, b, spec);
  for (const name of names(wanted)) await cloud.ready(app, name, b);
  const since = cloud.writes.slice(from);
  const ofA = since.filter(({ namespace }) => namespace === a);
  assert.deepEqual(ofA, [], "those that wait cost nothing while B's are applied");
  assert.ok(await blocked());
});

test("R12: orders that come together take turns by tenant, however many each has", async () => {
  const [a, b] = [await cloud.tenant("c"), await cloud.tenant("d")];
  await cloud.rest();
  await cloud.stopControllers();
  const few = 10;
  for (const name of names(wanted)) await cloud.order(app, name, a, spec);
  for (const name of names(few)) await cloud.order(app, name, b, spec);
  const from = cloud.writes.length;
  cloud.startControllers();
  for (const name of names(few)) await cloud.ready(app, name, b);
  for (const name of names(wanted)) await cloud.ready(app, name, a);
  // The first application of the objects themselves, in the order in which they were begun.
  const begun = cloud.writes.slice(from).filter(({ kind, verb }) => kind === "DataVolume" && verb === "apply");
  const last = begun.findLastIndex(({ namespace }) => namespace === b);
  const before = begun.slice(0, last).filter(({ namespace }) => namespace === a).length;
  assert.ok(last >= few - 1);
  assert.ok(before <= wanted / 2, `${before} of A's ${wanted} came before the last of B's ${few}`);
});
