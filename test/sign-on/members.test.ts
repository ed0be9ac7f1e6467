import assert from "node:assert/strict";
import { after, test } from "node:test";
import { request } from "undici";
import { GrafanaError, grafanaApi, type Role } from "../../src/tenancy/sign-on/grafana-api.ts";
import { reconcileMembers, type Wanted } from "../../src/tenancy/sign-on/members.ts";
import { type GrafanaServer, startGrafanaServer } from "../../src/twin/grafana-server.ts";

const account = { user: "admin", password: "s3cret-of-the-administrator" };
let servers = 0;

/** A Grafana of its own, and the members it has, by login. */
async function grafana(fault?: (method: string, path: string, count: number) => number | "drop" | "lost" | undefined) {
  let count = 0;
  const writes: string[] = [];
  const server: GrafanaServer = await startGrafanaServer({
    accountOf: async () => ({ ...account, instance: "one" }),
    fault: (method, path) => {
      if (method !== "GET") writes.push(`${method} ${path}`);
      count += 1;
      return fault?.(method, path, count);
    },
  });
  servers += 1;
  const base = server.at(`tenant-${servers}`);
  after(() => server.close());
  const api = grafanaApi(base, account);
  const roles = async () =>
    Object.fromEntries((await grafanaApi(base, account).members()).map(({ login, role }) => [login, role]));
  return { api, base, roles, writes };
}

let passwords = 0;
const password = () => {
  passwords += 1;
  return `made up ${passwords}`;
};
const list = (...entries: readonly (readonly [string, Role])[]): readonly Wanted[] =>
  entries.map(([email, role]) => ({ email, role }));
const run = ({ api }: { api: ReturnType<typeof grafanaApi> }, wanted: readonly Wanted[]) =>
  reconcileMembers(api, wanted, "admin", password);

test("people are added with their role, get another one, and are taken out; the administrator stays (features 109 and 110)", async () => {
  const one = await grafana();
  assert.deepEqual(await run(one, list(["ada@example.org", "Admin"], ["grace@example.org", "Viewer"])), {
    added: 2,
    changed: 0,
    removed: 0,
  });
  assert.deepEqual(await one.roles(), { admin: "Admin", "ada@example.org": "Admin", "grace@example.org": "Viewer" });
  await run(one, list(["ada@example.org", "Editor"], ["grace@example.org", "Viewer"]));
  assert.deepEqual(await one.roles(), { admin: "Admin", "ada@example.org": "Editor", "grace@example.org": "Viewer" });
  assert.deepEqual(await run(one, list(["grace@example.org", "Viewer"])), { added: 0, changed: 0, removed: 1 });
  assert.deepEqual(await one.roles(), { admin: "Admin", "grace@example.org": "Viewer" });
});

test("what is as it should be costs one read and no write", async () => {
  const one = await grafana();
  const wanted = list(["ada@example.org", "Admin"], ["grace@example.org", "Viewer"]);
  await run(one, wanted);
  one.writes.length = 0;
  await run(one, wanted);
  assert.deepEqual(one.writes, []);
});

test("somebody who was let in by hand is taken out, and comes back when listed", async () => {
  const one = await grafana();
  const id = await one.api.create("eve@example.org", "by hand");
  assert.ok(id !== undefined);
  await run(one, list(["ada@example.org", "Admin"]));
  assert.deepEqual(await one.roles(), { admin: "Admin", "ada@example.org": "Admin" });
  await run(one, list(["ada@example.org", "Admin"], ["eve@example.org", "Editor"]));
  assert.equal((await one.roles())["eve@example.org"], "Editor", "the account was there already");
});

test("letters' case does not make another person, and of several lines the last holds", async () => {
  const one = await grafana();
  await run(one, list(["Ada@Example.org", "Admin"], ["ada@example.org", "Viewer"]));
  assert.deepEqual(Object.values(await one.roles()), ["Admin", "Viewer"]);
  one.writes.length = 0;
  await run(one, list(["ADA@example.org", "Viewer"]));
  assert.deepEqual(one.writes, []);
});

test("the administrator's own login in the list changes nothing about the administrator", async () => {
  const one = await grafana();
  await run(one, list(["admin", "Viewer"], ["ada@example.org", "Viewer"]));
  assert.equal((await one.roles())["admin"], "Admin");
});

test("an address with signs of URLs is looked up as it is", async () => {
  const one = await grafana();
  await run(one, list(["a+b%25&x=1@example.org", "Viewer"]));
  assert.deepEqual(await one.roles(), { admin: "Admin", "a+b%25&x=1@example.org": "Viewer" });
});

const wanted = list(["ada@example.org", "Admin"], ["grace@example.org", "Viewer"], ["alan@example.org", "Editor"]);
const complete = {
  admin: "Admin",
  "ada@example.org": "Admin",
  "grace@example.org": "Viewer",
  "alan@example.org": "Editor",
};

for (const fault of [500, 503, 429, "drop", "lost"] as const) {
  test(`interrupted at any request by ${fault}, another run ends the same`, async () => {
    const clean = await grafana();
    await clean.api.create("eve@example.org", "by hand");
    await run(clean, wanted);
    let requests = 0;
    for (let at = 1; ; at += 1) {
      let asked = 0;
      let armed = false;
      const one = await grafana(() => {
        if (!armed) return undefined;
        asked += 1;
        return asked === at ? fault : undefined;
      });
      await one.api.create("eve@example.org", "by hand");
      armed = true;
      const failure = await run(one, wanted).then(
        () => undefined,
        (error: unknown) => error,
      );
      armed = false;
      if (failure === undefined) {
        requests = at;
        break;
      }
      assert.ok(failure instanceof GrafanaError, String(failure));
      assert.equal(failure.code, "GrafanaUnavailable");
      assert.doesNotMatch(`${failure.message}${failure.stack}`, /s3cret|made up/);
      await run(one, wanted);
      assert.deepEqual(await one.roles(), complete, `interrupted at request ${at}`);
    }
    assert.ok(requests > 10, `${requests} requests were interrupted`);
  });
}

const refusals = [
  { why: "another password", status: 401 },
  { why: "no rights", status: 403 },
  { why: "a request that it does not take", status: 400 },
] as const;

for (const { why, status } of refusals) {
  test(`Grafana says no: ${why}`, async () => {
    const one = await grafana(() => status);
    await assert.rejects(
      run(one, wanted),
      (error) => error instanceof GrafanaError && error.code === "GrafanaRefused" && error.status === status,
    );
  });
}

test("nobody at the address: unavailable, and the message has no password", async () => {
  const api = grafanaApi("http://127.0.0.1:1", account);
  await assert.rejects(api.members(), (error) => {
    assert.ok(error instanceof GrafanaError);
    assert.equal(error.code, "GrafanaUnavailable");
    assert.doesNotMatch(error.message, /s3cret/);
    return true;
  });
});

test("another password than the administrator's is refused by the Grafana of the tests", async () => {
  const one = await grafana();
  const answer = await request(`${one.base}/api/orgs/1/users`, { headers: { authorization: "Basic eDp5" } });
  assert.equal(answer.statusCode, 401);
  await answer.body.dump();
});
