/** TenantSecrets through the aggregator. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "../../src/kube/core-kinds.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { decoded, marker, pathOf, refusal, shownSecret, TenantSecret, tenant, tenantSecret } from "./fixtures.ts";

export function secretsSuite(engine: () => ServerEngine): void {
  test("reads: only marked Secrets, the marker hidden, values in data alone", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    await client.create(Secret, shownSecret("shown", namespace, { password: "p" }));
    await client.create(Secret, Secret("hidden", { namespace, labels: { [marker]: "false" }, stringData: { a: "x" } }));
    await client.create(Secret, Secret("plain", { namespace, labels: { color: "red" }, stringData: { a: "x" } }));

    const { items, resourceVersion } = await client.list(TenantSecret, { namespace });
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ["shown"],
    );
    assert.match(resourceVersion, /^\d+$/);
    const read = await client.get(TenantSecret, "shown", namespace);
    assert.deepEqual(read?.metadata.labels, { color: "red" });
    assert.equal(read?.stringData, undefined, "stringData is for writing: an echo would be stored as a value");
    assert.deepEqual(decoded(read), { password: "p" });
    const live = await client.get(Secret, "shown", namespace);
    assert.equal(read?.metadata.uid, live?.metadata.uid);
    assert.equal(read?.metadata.resourceVersion, live?.metadata.resourceVersion);
    for (const name of ["hidden", "plain", "absent"]) {
      assert.equal(await client.get(TenantSecret, name, namespace), undefined, `${name} is not there`);
    }
    assert.deepEqual((await client.list(TenantSecret, { namespace, labelSelector: "color=red" })).items.length, 1);
    assert.deepEqual((await client.list(TenantSecret, { namespace, labelSelector: "color!=red" })).items.length, 0);
    assert.deepEqual((await client.list(TenantSecret, { namespace, fieldSelector: "metadata.name=plain" })).items, []);
    assert.equal(await refusal(client.list(TenantSecret, { namespace, fieldSelector: "type=Opaque" })), "BadRequest");
  });

  test("pages and versions of lists are the API server's own", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    for (let index = 0; index < 5; index += 1) await client.create(Secret, shownSecret(`s${index}`, namespace));
    const paged = await client.list(TenantSecret, { namespace, pageSize: 2 });
    assert.deepEqual(
      paged.items.map(({ metadata }) => metadata.name),
      ["s0", "s1", "s2", "s3", "s4"],
    );
    const first = await client.raw("GET", `${pathOf(TenantSecret, namespace)}?limit=2`);
    await client.create(Secret, shownSecret("s1b", namespace));
    const next = encodeURIComponent(String(valueAt(first, "metadata", "continue")));
    const second = await client.raw("GET", `${pathOf(TenantSecret, namespace)}?limit=10&continue=${next}`);
    const names = valueAt(second, "items");
    assert.ok(Array.isArray(names));
    assert.deepEqual(
      names.map((item) => valueAt(item, "metadata", "name")),
      ["s2", "s3", "s4"],
      "the second page is of the first page's version",
    );
  });

  test("create, update and delete act on the Secret, and only on marked ones", async () => {
    const client = engine().client("people");
    const namespace = await tenant(client);
    const made = await client.create(
      TenantSecret,
      tenantSecret("app", namespace, { labels: { x: "y" }, stringData: { a: "1" } }),
    );
    assert.deepEqual(decoded(made), { a: "1" });
    const live = await client.get(Secret, "app", namespace);
    assert.deepEqual(live?.metadata.labels, { x: "y", [marker]: "true" });
    assert.ok(
      live?.metadata.managedFields?.some(({ manager }) => manager === "people"),
      "owned by who asked",
    );
    assert.equal(await refusal(client.create(TenantSecret, tenantSecret("app", namespace))), "AlreadyExists");
    assert.equal(await refusal(client.create(TenantSecret, tenantSecret("Bad_Name", namespace))), "Invalid");
    const { metadata } = await client.create(TenantSecret, {
      ...tenantSecret("", namespace, { stringData: { a: "1" } }),
      metadata: { name: "", namespace, generateName: "gen-" },
    });
    assert.match(metadata.name, /^gen-.{5}$/);

    const { labels: _, ...bare } = made.metadata;
    const updated = await client.replace(TenantSecret, { ...made, metadata: { ...bare, labels: { z: "1" } } });
    assert.deepEqual(updated.metadata.labels, { z: "1" }, "a removed label is gone");
    assert.equal(await refusal(client.replace(TenantSecret, made)), "Conflict", "made is an older version");
    const unconditional = tenantSecret("app", namespace, { data: { b: "Mg==" } });
    assert.deepEqual(decoded(await client.replace(TenantSecret, unconditional)), { b: "2" });
    const empty = await client.replace(TenantSecret, tenantSecret("app", namespace));
    assert.deepEqual(decoded(empty), { b: "2" }, "an update without values keeps them");
    assert.equal((await client.get(Secret, "app", namespace))?.metadata.labels?.[marker], "true");
    assert.equal(await refusal(client.replace(TenantSecret, tenantSecret("none", namespace))), "NotFound");

    await client.create(Secret, Secret("foreign", { namespace, stringData: { a: "1" } }));
    const before = (await client.get(Secret, "foreign", namespace))?.metadata.resourceVersion;
    const foreign = tenantSecret("foreign", namespace, { stringData: { a: "2" } });
    assert.equal(await refusal(client.replace(TenantSecret, foreign)), "NotFound");
    assert.equal(await refusal(client.mergePatch(TenantSecret, "foreign", namespace, { stringData: {} })), "NotFound");
    assert.equal(await refusal(client.apply(TenantSecret, foreign)), "AlreadyExists");
    assert.equal(await client.delete(TenantSecret, "foreign", namespace), false);
    assert.equal((await client.get(Secret, "foreign", namespace))?.metadata.resourceVersion, before, "untouched");

    const stale = { resourceVersion: made.metadata.resourceVersion ?? "" };
    assert.equal(await refusal(client.delete(TenantSecret, "app", namespace, stale)), "Conflict");
    assert.equal(await refusal(client.delete(TenantSecret, "app", namespace, { uid: "another" })), "Conflict");
    assert.equal(await client.delete(TenantSecret, "app", namespace), true);
    assert.equal(await client.get(Secret, "app", namespace), undefined);
  });

  test("what the platform and the cluster know of a Secret cannot be set through it", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const reserved = "internal.cozystack.io/managed-by-cozystack";
    const labels = { [marker]: "true", [reserved]: "true", own: "1" };
    await client.create(
      Secret,
      Secret("kept", { namespace, labels, stringData: { a: "1" }, metadata: { finalizers: ["example.com/hold"] } }),
    );
    const cases = [
      { why: "the marker taken off", labels: { [marker]: "false" } },
      { why: "a reserved label changed", labels: { [reserved]: "no" } },
      { why: "lineage forged", labels: { "apps.cozystack.io/application.name": "other" } },
    ];
    for (const { why, labels: wrong } of cases) {
      const call = client.replace(TenantSecret, tenantSecret("kept", namespace, { labels: wrong }));
      assert.equal(await refusal(call), "Invalid", why);
    }
    await client.replace(TenantSecret, tenantSecret("kept", namespace, { labels: { mine: "2" } }));
    const live = await client.get(Secret, "kept", namespace);
    assert.deepEqual(live?.metadata.labels, { [marker]: "true", [reserved]: "true", mine: "2" });
    assert.deepEqual(live?.metadata.finalizers, ["example.com/hold"], "what the view does not show stays");
    await client.mergePatch(Secret, "kept", namespace, { metadata: { finalizers: null } });

    const type = "kubernetes.io/service-account-token";
    const token = {
      ...tenantSecret("token", namespace, { type }),
      metadata: { name: "token", namespace, annotations: { "kubernetes.io/service-account.name": "default" } },
    };
    assert.equal(await refusal(client.create(TenantSecret, token)), "Invalid", "it would hold another account's token");
    assert.equal(await refusal(client.apply(TenantSecret, token)), "Invalid");
    assert.equal(await client.get(Secret, "token", namespace), undefined);
  });

  test("every kind of patch", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const path = `${pathOf(TenantSecret, namespace)}/p`;
    await client.create(Secret, shownSecret("p", namespace, { a: "1", b: "2" }));
    await client.jsonPatch(TenantSecret, "p", namespace, [
      { op: "test", path: "/data/a", value: "MQ==" },
      { op: "replace", path: "/data/a", value: "OQ==" },
      { op: "remove", path: "/data/b" },
      { op: "add", path: "/metadata/labels/k", value: "v" },
    ]);
    const patched = await client.get(TenantSecret, "p", namespace);
    assert.deepEqual(decoded(patched), { a: "9" });
    assert.deepEqual(patched?.metadata.labels, { color: "red", k: "v" });
    const wrong = client.jsonPatch(TenantSecret, "p", namespace, [{ op: "test", path: "/data/a", value: "MQ==" }]);
    assert.equal(await refusal(wrong), "Invalid", "a test that fails");

    await client.mergePatch(TenantSecret, "p", namespace, {
      stringData: { c: "3" },
      metadata: { labels: { k: null } },
    });
    const merged = await client.get(TenantSecret, "p", namespace);
    assert.deepEqual(decoded(merged), { a: "9", c: "3" });
    assert.deepEqual(merged?.metadata.labels, { color: "red" });
    const stale = { metadata: { resourceVersion: patched?.metadata.resourceVersion }, stringData: { d: "4" } };
    assert.equal(await refusal(client.mergePatch(TenantSecret, "p", namespace, stale)), "Conflict");
    await client.mergePatch(TenantSecret, "p", namespace, { data: null });
    assert.deepEqual(decoded(await client.get(TenantSecret, "p", namespace)), {}, "a patch may empty it");

    const { kubectl } = engine();
    const strategic = JSON.stringify({ data: { $patch: "replace", e: "NQ==" } });
    const ran = await kubectl(["patch", "tenantsecret", "p", "-n", namespace, "--type=strategic", "-p", strategic]);
    assert.equal(ran.code, 0, ran.stderr);
    assert.deepEqual(decoded(await client.get(TenantSecret, "p", namespace)), { e: "5" });
    assert.equal(valueAt(await client.raw("GET", path), "stringData"), undefined);
  });

  test("server-side apply owns fields, reports conflicts and releases what is left out", async () => {
    const namespace = await tenant(engine().client());
    const [one, two] = [engine().client("one"), engine().client("two")];
    const made = await one.apply(TenantSecret, tenantSecret("ssa", namespace, { stringData: { a: "1", b: "2" } }));
    assert.deepEqual(decoded(made), { a: "1", b: "2" });
    assert.deepEqual(
      made.metadata.managedFields
        ?.filter(({ operation }) => operation === "Apply")
        .map(({ manager, apiVersion }) => [manager, apiVersion]),
      [["one", "core.cozystack.io/v1alpha1"]],
    );
    const theirs = tenantSecret("ssa", namespace, { stringData: { a: "other" } });
    await assert.rejects(two.apply(TenantSecret, theirs, { force: false }), (error) => {
      assert.ok(isApiError(error, "Conflict"));
      assert.match(error.message, /conflict with "one": \.data\.a/);
      return true;
    });
    await two.apply(TenantSecret, theirs);
    assert.deepEqual(decoded(await one.apply(TenantSecret, tenantSecret("ssa", namespace, { stringData: {} }))), {
      a: "other",
    });
    const live = await one.get(Secret, "ssa", namespace);
    assert.equal(live?.metadata.labels?.[marker], "true", "still shown");
    const unchanged = live?.metadata.resourceVersion;
    await two.apply(TenantSecret, theirs);
    assert.equal(
      (await one.get(Secret, "ssa", namespace))?.metadata.resourceVersion,
      unchanged,
      "the same again writes nothing",
    );
  });
}
