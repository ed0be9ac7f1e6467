/** When the init Job runs again, and when it does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { postgres } from "./index.ts";

interface Pass {
  readonly job: string;
  readonly policy: string | undefined;
  /** The Secrets as they live afterwards. */
  readonly live: readonly KubeObject[];
  readonly texts: Readonly<Record<string, unknown>>;
}

const users = { ann: { password: "first" }, bob: {} };
const databases = { shop: { roles: { admin: ["ann"] } } };

/** One pass of the controller: what is rendered is what lives. */
function pass(spec: object, live: readonly KubeObject[] = [], seed = ""): Pass {
  const rendered = renderApp(postgres, { spec, existing: live }, seed);
  const job = rendered.manifests.find(({ object }) => object.kind === "Job");
  const secrets = rendered.objects.flatMap(({ kind, metadata }) => {
    const texts = valueAt(rendered.object(kind, metadata.name), "stringData");
    if (kind !== "Secret" || !isRecord(texts)) return [];
    const data = Object.entries(texts).map(([key, text]) => [key, Buffer.from(String(text)).toString("base64")]);
    return [Secret(metadata.name, { data: Object.fromEntries(data) })];
  });
  const texts = valueAt(rendered.object("Secret", "postgres-demo-init-script"), "stringData");
  return {
    job: job?.object.metadata.name ?? "",
    policy: job?.policy,
    live: secrets,
    texts: isRecord(texts) ? texts : {},
  };
}

test("the same content is the same Job, pass after pass", () => {
  const first = pass({ users, databases });
  assert.equal(first.policy, "runOnce");
  const second = pass({ users, databases }, first.live, "other random values");
  assert.equal(second.job, first.job);
  assert.deepEqual(second.texts, first.texts);
});

const unchanged = [
  { why: "another version", more: { version: "v17" } },
  { why: "other resources", more: { resourcesPreset: "s1.large", replicas: 5 } },
  { why: "backups", more: { backup: { enabled: true, s3AccessKey: "a", s3SecretKey: "b" } } },
];
for (const { why, more } of unchanged) {
  test(`the Job does not run again for ${why}`, () => {
    const first = pass({ users, databases });
    assert.equal(pass({ users, databases, ...more }, first.live).job, first.job);
  });
}

const changed = [
  { why: "another password", spec: { users: { ...users, ann: { password: "second" } }, databases } },
  { why: "a user less", spec: { users: { ann: users.ann }, databases } },
  { why: "an attribute", spec: { users: { ...users, bob: { replication: true } }, databases } },
  { why: "another database", spec: { users, databases: { ...databases, other: {} } } },
  { why: "another role", spec: { users, databases: { shop: { roles: { readonly: ["ann"] } } } } },
  { why: "an extension", spec: { users, databases: { shop: { ...databases.shop, extensions: ["hstore"] } } } },
];
for (const { why, spec } of changed) {
  test(`the Job runs again for ${why}`, () => {
    const first = pass({ users, databases });
    const second = pass(spec, first.live);
    assert.notEqual(second.job, first.job);
    const back = pass({ users, databases }, second.live);
    assert.ok(![first.job, second.job].includes(back.job), "and once more when it is as before: another ran between");
    assert.equal(pass({ users, databases }, back.live).job, back.job);
  });
}

test("a rotated password is another content", () => {
  const first = pass({ users, databases });
  const others = first.live.filter(({ metadata }) => metadata.name !== "postgres-demo-credentials");
  assert.notEqual(pass({ users, databases }, others, "rotated").job, first.job);
});

test("changed scripts are another content", () => {
  const first = pass({ users, databases });
  const older = first.live.map((secret) =>
    secret.metadata.name === "postgres-demo-init-script" && "data" in secret && isRecord(secret.data)
      ? { ...secret, data: { ...secret.data, "init.sh": "b2xkZXI=" } }
      : secret,
  );
  assert.notEqual(pass({ users, databases }, older).job, first.job);
});

test("the name tells nothing about passwords: the same ones give another name in another application", () => {
  assert.notEqual(pass({ users, databases }, [], "one").job, pass({ users, databases }, [], "two").job);
});

test("a Secret of an installation that is taken over is completed, and its Job runs once", () => {
  const upstream = Secret("postgres-demo-init-script", { data: { "init.sh": Buffer.from("echo").toString("base64") } });
  const first = pass({ users, databases }, [upstream]);
  assert.equal(JSON.parse(String(first.texts["desired.json"])).revision, 1);
  assert.equal(pass({ users, databases }, first.live).job, first.job);
});

test("live passwords are kept, given ones win, and users that are gone are dropped", () => {
  const value = (text: string) => Buffer.from(text).toString("base64");
  const live = Secret("postgres-demo-credentials", {
    data: { ann: value("old"), bob: value("kept"), eve: value("gone") },
  });
  const rendered = renderApp(postgres, { spec: { users: { ...users, carl: { password: "" } } }, existing: [live] });
  const now = valueAt(rendered.object("Secret", "postgres-demo-credentials"), "stringData");
  assert.ok(isRecord(now));
  const { carl, ...others } = now;
  assert.deepEqual(others, { ann: "first", bob: "kept" });
  assert.match(String(carl), /^[A-Za-z0-9]{16}$/, "an empty password is none");
});
