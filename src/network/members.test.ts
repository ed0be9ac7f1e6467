import assert from "node:assert/strict";
import { test } from "node:test";
import { Pod, type PodObject } from "../contracts/core.ts";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import { groupsOf, Makers, membershipWrite, takesMembers } from "./members.ts";
import { FINALIZER, type Group } from "./names.ts";

const application = {
  "apps.cozystack.io/application.group": "apps.cozystack.io",
  "apps.cozystack.io/application.kind": "Postgres",
  "apps.cozystack.io/application.name": "db",
};
const member = (...groups: readonly string[]) =>
  Object.fromEntries(groups.map((name) => [`securitygroup.sdn.cozystack.io/${name}`, ""]));
const pod = (labels: Readonly<Record<string, string>>, owner?: string) =>
  Pod("p", {
    labels,
    metadata: {
      namespace: "tenant-a",
      uid: "p1",
      ...(owner === undefined
        ? {}
        : {
            ownerReferences: [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "s", uid: owner, controller: true }],
          }),
    },
    spec: { containers: [] },
  });
const group = (name: string, podOwners: readonly string[] = []): Group =>
  SecurityGroup(name, { status: { podOwners } });

const memberships: readonly {
  why: string;
  pod: PodObject;
  attached: readonly string[] | undefined;
  groups: readonly string[];
}[] = [
  {
    why: "of every group that its application is attached to (feature 87)",
    pod: pod(application),
    attached: ["b", "a"],
    groups: ["a", "b"],
  },
  {
    why: "of none whose label it only carries",
    pod: pod({ ...application, ...member("forged") }),
    attached: [],
    groups: [],
  },
  { why: "without an application it is of none", pod: pod(member("known")), attached: undefined, groups: [] },
  {
    why: "admission's label for its owner's sake stays until its application is known",
    pod: pod(member("known", "other"), "set-1"),
    attached: undefined,
    groups: ["known"],
  },
  { why: "another owner is no reason", pod: pod(member("known"), "set-2"), attached: undefined, groups: [] },
];

for (const { why, pod: one, attached, groups } of memberships) {
  test(`a pod's groups: ${why}`, () => {
    const known = (name: string) =>
      name === "known" || name === "other" ? group(name, name === "known" ? ["set-1"] : []) : undefined;
    assert.deepEqual(
      groupsOf(
        one,
        attached?.map((name) => group(name)),
        known,
      ),
      groups,
    );
  });
}

const apply = (...groups: readonly string[]) => ({
  is: "apply",
  body: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "p", namespace: "tenant-a", uid: "p1", labels: member(...groups) },
  },
});
const writes: readonly {
  why: string;
  have: Readonly<Record<string, string>>;
  wanted: readonly string[];
  write: unknown;
}[] = [
  { why: "nothing to do", have: member("a"), wanted: ["a"], write: undefined },
  { why: "nothing at all", have: application, wanted: [], write: undefined },
  {
    why: "a new one: all are applied, so that they stay ours",
    have: member("a"),
    wanted: ["a", "b"],
    write: apply("a", "b"),
  },
  {
    why: "a value that is not empty",
    have: { "securitygroup.sdn.cozystack.io/a": "x" },
    wanted: ["a"],
    write: apply("a"),
  },
  {
    why: "one goes and one comes: one patch, whoever set the label",
    have: member("a"),
    wanted: ["b"],
    write: {
      is: "patch",
      patch: {
        metadata: {
          uid: "p1",
          labels: { "securitygroup.sdn.cozystack.io/a": null, "securitygroup.sdn.cozystack.io/b": "" },
        },
      },
    },
  },
];
for (const { why, have, wanted, write } of writes) {
  test(`membership labels: ${why}`, () => assert.deepEqual(membershipWrite(Pod, pod(have), wanted), write));
}

test("the next pod of a maker is of the application of those before it, unless it says otherwise", () => {
  const makers = new Makers();
  assert.equal(makers.applicationOf(pod({}, "set-1")), undefined);
  makers.learn(pod({}, "set-1"));
  makers.learn(pod(application));
  assert.equal(makers.applicationOf(pod({}, "set-1")), undefined);
  makers.learn(pod(application, "set-1"));
  assert.equal(makers.applicationOf(pod({}, "set-1"))?.name, "db");
  assert.equal(makers.applicationOf(pod({}, "set-2")), undefined);
  const other = { ...application, "apps.cozystack.io/application.name": "other" };
  assert.equal(makers.applicationOf(pod(other, "set-1"))?.name, "other");
});

test("makers are remembered up to a number, the last seen the longest", () => {
  const makers = new Makers();
  makers.learn(pod(application, "first"));
  makers.learn(pod(application, "second"));
  for (let at = 0; at < 19_999; at += 1) makers.learn(pod(application, `set-${at}`));
  assert.equal(makers.applicationOf(pod({}, "first")), undefined);
  assert.equal(makers.applicationOf(pod({}, "second"))?.name, "db");
});

test("a group takes members from its finalizer on, and none while it goes", () => {
  const made = (metadata: object) => takesMembers(SecurityGroup("g", { metadata }), FINALIZER);
  assert.equal(made({}), false);
  assert.equal(made({ finalizers: [FINALIZER] }), true);
  assert.equal(made({ finalizers: [FINALIZER], deletionTimestamp: "2026-01-01T00:00:00Z" }), false);
});
