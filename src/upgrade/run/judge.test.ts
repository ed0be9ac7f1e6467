import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ObjectRef } from "../../kube/object.ts";
import type { ObjectProblem } from "../../reconcile/problem.ts";
import type { InstanceState } from "../../reconcile/state.ts";
import { judgeWave, type Watched } from "./judge.ts";

const ref: ObjectRef = { group: "apps.cozystack.io", kind: "Postgres", namespace: "tenant-a", name: "db" };
const problem = (transient: boolean): ObjectProblem => ({
  object: ref,
  code: "Invalid",
  message: "no",
  remedy: "Mend it.",
  transient,
});
const progressing: InstanceState = {
  is: "progressing",
  on: [{ object: ref, health: { is: "inProgress", why: "1 of 2" } }],
};
const refused = (transient: boolean): InstanceState => ({ is: "refused", problems: [problem(transient)] });
const unconfirmed: InstanceState = { is: "unconfirmed", hash: "abc", changes: [] };

const rows: readonly {
  readonly why: string;
  readonly state: InstanceState | undefined;
  readonly wasReady: boolean;
  readonly now: "healthy" | "waiting" | "worse";
  readonly late: "healthy" | "waiting" | "worse";
}[] = [
  { why: "it is ready", state: { is: "ready" }, wasReady: true, now: "healthy", late: "healthy" },
  { why: "nobody has looked at it", state: undefined, wasReady: true, now: "waiting", late: "worse" },
  {
    why: "nobody has looked at what was not ready",
    state: undefined,
    wasReady: false,
    now: "waiting",
    late: "healthy",
  },
  { why: "it is on its way", state: progressing, wasReady: true, now: "waiting", late: "worse" },
  { why: "it never was ready", state: progressing, wasReady: false, now: "healthy", late: "healthy" },
  { why: "its spec is refused", state: refused(false), wasReady: true, now: "worse", late: "worse" },
  { why: "what was not ready is refused", state: refused(false), wasReady: false, now: "healthy", late: "healthy" },
  { why: "the API server refuses for now", state: refused(true), wasReady: true, now: "waiting", late: "worse" },
  { why: "it asks before it loses data", state: unconfirmed, wasReady: true, now: "healthy", late: "healthy" },
  { why: "it was deleted meanwhile", state: { is: "gone" }, wasReady: true, now: "healthy", late: "healthy" },
  {
    why: "it is being deleted",
    state: { is: "deleting", left: [ref] },
    wasReady: true,
    now: "healthy",
    late: "healthy",
  },
];

describe("a wave is judged by its applications", () => {
  for (const { why, state, wasReady, now, late } of rows) {
    it(`${why}: ${now}, ${late} once its time is over`, () => {
      const app: Watched = { ref, wasReady, state };
      assert.equal(judgeWave([app], false).is, now);
      assert.equal(judgeWave([app], true).is, late);
    });
  }

  it("one that got worse outweighs those that came through and those on their way", () => {
    const all: readonly Watched[] = [
      { ref, wasReady: true, state: { is: "ready" } },
      { ref, wasReady: true, state: progressing },
      { ref, wasReady: true, state: refused(false) },
    ];
    const verdict = judgeWave(all, false);
    assert.equal(verdict.is, "worse");
    assert.match(verdict.is === "worse" ? verdict.why : "", /^Postgres tenant-a\/db: Invalid: .*no$/);
  });

  it("names those that wait for somebody's consent", () => {
    assert.deepEqual(judgeWave([{ ref, wasReady: true, state: unconfirmed }], false), { is: "healthy", held: [ref] });
  });
});
