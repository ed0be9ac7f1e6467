import assert from "node:assert/strict";
import { test } from "node:test";
import { claimedHostnames, claimsOn } from "./claims.ts";
import { gateway, route } from "./fixture.ts";
import type { Route } from "./names.ts";
import { gatewayOf } from "./objects.ts";
import { parentsOf } from "./route-status.ts";
import { failedStatus, statusOf } from "./status.ts";

const wanted = gatewayOf(gateway(), { hostnames: ["a.org"], children: [] });
const yes = (type: string) => ({ type, status: "True" as const, reason: "Ok", message: "", lastTransitionTime: "t" });
const no = (type: string) => ({ ...yes(type), status: "False" as const, message: "because" });
const heard = (conditions: readonly object[], each: readonly object[]) =>
  Object.assign({}, wanted, {
    status: {
      conditions,
      listeners: wanted.spec.listeners.map(({ name }) => ({ name, attachedRoutes: 0, conditions: each })),
    },
  });
const both = [yes("Accepted"), yes("Programmed")];

const verdicts = [
  { why: "nobody has looked", live: undefined, reason: "GatewayNotAccepted", listener: "Pending" },
  { why: "it is refused", live: heard([no("Accepted")], []), reason: "GatewayNotAccepted", listener: "NotAccepted" },
  {
    why: "it is not served",
    live: heard([yes("Accepted"), no("Programmed")], both),
    reason: "GatewayNotProgrammed",
    listener: undefined,
  },
  {
    why: "a certificate is missing",
    live: heard(both, [yes("Accepted"), no("Programmed")]),
    reason: "ListenersNotReady",
    listener: "NotProgrammed",
  },
  { why: "all is well", live: heard(both, both), reason: "Reconciled", listener: undefined },
];

for (const { why, live, reason, listener } of verdicts) {
  test(`the gateway says ${reason} when ${why}`, () => {
    const status = statusOf(gateway(), wanted, live, [], "t9");
    const [ready] = status.conditions ?? [];
    assert.equal(ready?.reason, reason);
    assert.equal(ready?.status, reason === "Reconciled" ? "True" : "False");
    assert.equal(status.listeners?.[1]?.reason, listener);
    assert.equal(status.observedGeneration, 1);
  });
}

test("a failure keeps what was known of listeners, and the time at which it began", () => {
  const first = failedStatus(gateway(), "no", "t1");
  const again = failedStatus(Object.assign({}, gateway(), { status: first }), "still no", "t2");
  assert.deepEqual(
    [again.conditions?.[0]?.reason, again.conditions?.[0]?.message, again.conditions?.[0]?.lastTransitionTime],
    ["ReconcileError", "still no", "t1"],
  );
});

test("what a route is told: one entry for each reference, changed only when it changes, and taken back", () => {
  const of = gateway({ attachedNamespaces: ["a-ns"] });
  const foreign = { controllerName: "io.cilium/gateway-controller", parentRef: { name: "cozystack" }, conditions: [] };
  const twice = route(
    "tenant-foo",
    "r",
    ["x.org"],
    [
      { name: "cozystack", sectionName: "a" },
      { name: "cozystack", sectionName: "b" },
    ],
    { status: { parents: [foreign] } },
  );
  const told = parentsOf(twice, of, claimsOn(of, { namespaces: [], routes: [twice] }), "t1");
  assert.deepEqual(
    told?.map(({ controllerName, parentRef }) => `${controllerName} ${parentRef.sectionName ?? ""}`),
    [
      "io.cilium/gateway-controller ",
      "gateway.cozystack.io/tenantgateway-controller a",
      "gateway.cozystack.io/tenantgateway-controller b",
    ],
  );
  const after: Route = Object.assign({}, twice, { status: { parents: told } });
  const claims = claimsOn(of, { namespaces: [], routes: [after] });
  assert.equal(parentsOf(after, of, claims, "t2"), undefined, "nothing to say");
  const rival = route("a-ns", "z", ["x.org"]);
  const contested = parentsOf(after, of, claimsOn(of, { namespaces: [], routes: [after, rival] }), "t3");
  const [said] = contested?.[1]?.conditions ?? [];
  assert.deepEqual([said?.status, said?.reason, said?.lastTransitionTime], ["False", "HostnameConflict", "t3"]);
  assert.deepEqual(parentsOf(after, of, [], "t4"), [foreign], "without the gateway only others' entries are left");
});

test("names outside the domain are not served, and their routes and the gateway say so; the rest goes on", () => {
  const of = gateway({ apex: "foo.org", attachedNamespaces: ["cozy-system"] });
  const routes = [
    route("tenant-foo", "in", ["a.foo.org", "b.bar.org"]),
    route("tenant-foo", "out", ["c.bar.org", "evilfoo.org"]),
    route("tenant-foo", "apex", ["FOO.org"]),
  ];
  const claims = claimsOn(of, { namespaces: [], routes });
  const { within, outside } = claimedHostnames(of, claims);
  assert.deepEqual(within, ["a.foo.org", "foo.org"]);
  assert.deepEqual(outside, ["b.bar.org", "c.bar.org", "evilfoo.org"]);
  const reasons = routes.map((one) => parentsOf(one, of, claims, "t")?.[0]?.conditions[0]?.reason);
  assert.deepEqual(reasons, ["Accepted", "NoMatchingListenerHostname", "Accepted"]);
  const made = gatewayOf(of, { hostnames: within, children: [] });
  const live = Object.assign({}, made, {
    status: {
      conditions: both,
      listeners: made.spec.listeners.map(({ name }) => ({ name, attachedRoutes: 0, conditions: both })),
    },
  });
  const status = statusOf(of, made, live, [{ hostname: "c.bar.org", reason: "OutsideDomain" }], "t");
  assert.equal(status.conditions?.[0]?.reason, "Reconciled");
  assert.equal(status.listeners?.at(-1)?.reason, "OutsideDomain");
});
