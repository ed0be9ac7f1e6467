/** kubectl of two minor versions against the aggregated API. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Release } from "../../scripts/tools.ts";
import { Secret } from "../../src/kube/core-kinds.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { decoded, shownSecret, TenantSecret, tenant, tenantSecret } from "./fixtures.ts";

export function kubectlSuite(engine: () => ServerEngine, release: Release): void {
  const run = async (args: readonly string[], input?: unknown) => {
    const ran = await engine().kubectl(args, {
      release,
      ...(input === undefined ? {} : { input: JSON.stringify(input) }),
    });
    return { ...ran, all: ran.stdout + ran.stderr };
  };
  const ok = async (args: readonly string[], input?: unknown): Promise<string> => {
    const ran = await run(args, input);
    assert.equal(ran.code, 0, `kubectl ${args.join(" ")}: ${ran.all}`);
    return ran.stdout;
  };

  test(`kubectl ${release}: discovery and explain`, async () => {
    const resources = await ok(["api-resources", "--api-group=core.cozystack.io", "--no-headers", "-o", "wide"]);
    const rows = resources
      .trim()
      .split("\n")
      .map((row) => row.trim().split(/\s+/));
    assert.deepEqual(rows, [
      ["applicationplans", "core.cozystack.io/v1alpha1", "true", "ApplicationPlan", "create,patch"],
      ["options", "core.cozystack.io/v1alpha1", "true", "Option", "get,list,watch"],
      ["tenantmodules", "core.cozystack.io/v1alpha1", "true", "TenantModule", "get,list,watch"],
      ["tenantnamespaces", "core.cozystack.io/v1alpha1", "false", "TenantNamespace", "get,list,watch"],
      ["tenantsecrets", "core.cozystack.io/v1alpha1", "true", "TenantSecret", "create,get,list,patch,update,watch"],
    ]);
    assert.match(await ok(["explain", "tenantsecret.stringData"]), /FIELD: stringData <map\[string\]string>/);
    assert.match(await ok(["explain", "tenantmodule.status", "--recursive"]), /observedGeneration\s+<integer>/);
    assert.match(await ok(["explain", "options.spec.items"]), /value\s+<string> -required-/);
    assert.match(await ok(["explain", "tenantnamespaces.metadata"]), /labels\s+<map\[string\]string>/);
  });

  test(`kubectl ${release}: tables, forms, selection, watch`, async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    for (const name of ["one", "two"]) await client.create(Secret, shownSecret(name, namespace));
    const n = ["-n", namespace];
    assert.match(await ok(["get", "tenantsecrets", ...n]), /^NAME +TYPE +AGE\none +Opaque +\d+s\ntwo +Opaque +\d+s\n$/);
    assert.match(await ok(["get", "tenantsecret/one", ...n, "-o", "wide", "--no-headers"]), /^one +Opaque +\d+s\n$/);
    assert.match(
      await ok(["get", "tenantsecrets", "-A", "--show-labels"]),
      new RegExp(`${namespace} +one +Opaque +\\d+s +color=red`),
    );
    assert.equal(
      await ok(["get", "tenantsecrets", ...n, "-o", "name"]),
      "tenantsecret.core.cozystack.io/one\ntenantsecret.core.cozystack.io/two\n",
    );
    assert.equal(
      await ok([
        "get",
        "tenantsecrets",
        ...n,
        "--field-selector=metadata.name=two",
        "-o",
        "jsonpath={.items[*].metadata.name}",
      ]),
      "two",
    );
    assert.equal(await ok(["get", "tenantsecrets", ...n, "-l", "color=blue", "-o", "name"]), "");
    assert.equal(
      await ok(["get", "tenantsecrets", ...n, "--chunk-size=1", "-o", "jsonpath={.items[*].metadata.name}"]),
      "one two",
    );
    assert.match(await ok(["get", "tenantnamespaces", namespace]), new RegExp(`^NAME +AGE\n${namespace} +\\d+s\n$`));
    assert.match(await ok(["describe", "tenantsecret", "one", ...n]), /Kind: +TenantSecret/);
    const missing = await run(["get", "tenantsecret", "none", ...n]);
    assert.match(missing.stderr, /Error from server \(NotFound\): tenantsecrets.core.cozystack.io "none" not found/);
    const watched = await run(["get", "tenantsecrets", ...n, "--watch", "--request-timeout=2s"]);
    assert.match(watched.stdout, /^NAME +TYPE +AGE\none +Opaque +\S+\ntwo +Opaque/);
    const waited = await ok(["wait", "--for=jsonpath={.type}=Opaque", "tenantsecret/one", ...n, "--timeout=10s"]);
    assert.match(waited, /condition met/);
  });

  test(`kubectl ${release}: wait for a value, for what is to come and for what is to go`, async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const wait = (what: string, condition: string) =>
      ok(["wait", `tenantsecret/${what}`, `--for=${condition}`, "--timeout=20s", "-n", namespace]);
    await client.create(Secret, shownSecret("one", namespace));
    assert.match(await wait("one", "jsonpath={.type}=Opaque"), /one condition met/);
    const labelled = wait("one", "jsonpath={.metadata.labels.color}=green");
    await client.mergePatch(Secret, "one", namespace, { metadata: { labels: { color: "green" } } });
    assert.match(await labelled, /one condition met/);
    const comes = wait("two", "create");
    await client.create(Secret, shownSecret("two", namespace));
    assert.match(await comes, /two condition met/);
    const goes = wait("two", "delete");
    await client.delete(Secret, "two", namespace);
    // It says nothing where it comes too late to see it go.
    assert.match(await goes, /two condition met|^$/);
    assert.equal(await client.get(TenantSecret, "two", namespace), undefined);
  });

  test(`kubectl ${release}: apply with validation, diff, edit, label, server-side apply, delete`, async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const n = ["-n", namespace];
    const read = async () => decoded(await client.get(TenantSecret, "app", namespace));
    const first = tenantSecret("app", namespace, { stringData: { a: "1", b: "2" } });
    assert.match(await ok(["apply", "--validate=strict", "-f", "-"], first), /created/);
    const unknown = await run(["apply", "-f", "-"], { ...first, dataa: {} });
    assert.match(unknown.stderr, /unknown field "dataa"/);
    const second = tenantSecret("app", namespace, { data: { a: "OQ==" } });
    const diff = await run(["diff", "-f", "-"], second);
    assert.equal(diff.code, 1, diff.all);
    assert.match(diff.stdout, /- {2}a: MQ==[\s\S]*\+ {2}a: OQ==/);
    assert.deepEqual(await read(), { a: "1", b: "2" }, "diff stores nothing");
    assert.match(await ok(["apply", "--dry-run=server", "-f", "-"], second), /configured \(server dry run\)/);
    assert.deepEqual(await read(), { a: "1", b: "2" });
    assert.match(await ok(["apply", "-f", "-"], second), /configured/);
    assert.equal((await run(["diff", "-f", "-"], second)).code, 0);
    await ok(["label", "tenantsecret", "app", ...n, "k=v"]);
    await ok(["label", "tenantsecret", "app", ...n, "k-"]);
    await ok(["annotate", "tenantsecret", "app", ...n, "note=1"]);
    assert.equal((await client.get(TenantSecret, "app", namespace))?.metadata.labels, undefined);
    await ok([
      "patch",
      "tenantsecret",
      "app",
      ...n,
      "--type=json",
      "-p",
      '[{"op":"add","path":"/data/c","value":"Mw=="}]',
    ]);
    await ok(["replace", "-f", "-"], tenantSecret("app", namespace, { data: { a: "OA==" } }));
    assert.deepEqual(await read(), { a: "8" });

    // From client-side to server-side apply: kubectl hands its fields over.
    await ok(["apply", "-f", "-"], first);
    await ok(["apply", "--server-side", "--force-conflicts", "-f", "-"], first);
    await ok(["apply", "--server-side", "-f", "-"], tenantSecret("app", namespace, { stringData: { a: "5" } }));
    assert.deepEqual(await read(), { a: "5" }, "what is left out is released");
    await ok(["apply", "--server-side", "-f", "-"], tenantSecret("new", namespace, { stringData: { x: "1" } }));
    assert.match(await ok(["delete", "tenantsecret", "app", "new", ...n]), /"app" deleted/);
    assert.deepEqual((await client.list(Secret, { namespace })).items, []);
  });
}
