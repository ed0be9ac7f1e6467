/** The script that binds users, run with a kubectl that says what it was asked. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { instanceTypes } from "../../../test/support/machines.ts";
import { renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { kubernetes } from "./index.ts";

const kubectl = `#!/bin/sh
echo "$@" >>"$LOG"
case "$*" in
  "get clusterrolebindings"*) printf '%s\\n' $FOUND ;;
esac
`;

interface Run {
  readonly script: string;
  readonly data: Readonly<Record<string, string>>;
  readonly asked: readonly string[];
}

/** Binds users of these addresses in a cluster that has these bindings. */
function bind(emails: readonly string[], found: readonly string[]): Run {
  const spec = {
    oidc: {
      mode: "CustomConfig",
      customConfig: { config: "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\n" },
      users: emails.map((email) => ({ email, role: "admin" })),
    },
  };
  const rendered = renderApp(kubernetes, { spec, existing: instanceTypes });
  const job = rendered.objects.find(({ kind, metadata }) => kind === "Job" && metadata.name.includes("oidc-users"));
  const containers = valueAt(job, "spec", "template", "spec", "containers");
  const command = valueAt(Array.isArray(containers) ? containers[0] : undefined, "command");
  const script = String(Array.isArray(command) ? command[2] : "");
  const content = valueAt(rendered.object("ConfigMap", "kubernetes-demo-oidc-users"), "data");
  const data = { "bindings.json": String(valueAt(content, "bindings.json")), names: String(valueAt(content, "names")) };
  const folder = mkdtempSync(join(tmpdir(), "users-"));
  try {
    for (const [name, text] of Object.entries(data)) writeFileSync(join(folder, name), text);
    writeFileSync(join(folder, "kubectl"), kubectl, { mode: 0o755 });
    const log = join(folder, "log");
    execFileSync("sh", ["-ec", script.replaceAll("/etc/users", folder)], {
      env: { PATH: `${folder}:${process.env["PATH"] ?? ""}`, LOG: log, FOUND: found.join(" "), SELECTOR: "a=b" },
      cwd: folder,
      stdio: ["ignore", "ignore", "inherit"],
    });
    return { script, data, asked: readFileSync(log, "utf8").replaceAll(folder, "FOLDER").trim().split("\n") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const alice = "clusterrolebinding.rbac.authorization.k8s.io/cozystack-oidc-776bf299ae1c18c9";

test("users are bound by a Job that no text of theirs can change", () => {
  const hostile = `$(touch pwned)"';\n\`id\`@example.org`;
  const { script, data, asked } = bind([hostile], []);
  assert.ok(!script.includes("pwned"));
  assert.ok(data["names"] !== undefined && /^cozystack-oidc-[0-9a-f]{16}\n$/.test(data["names"]));
  const items = valueAt(JSON.parse(data["bindings.json"] ?? ""), "items");
  const [binding] = Array.isArray(items) ? items : [];
  assert.deepEqual(valueAt(binding, "subjects"), [
    { apiGroup: "rbac.authorization.k8s.io", kind: "User", name: hostile },
  ]);
  assert.deepEqual(asked.at(-1), "auth reconcile --filename=FOLDER/bindings.json");
});

test("bindings of former users go, those of others stay", () => {
  const gone = "clusterrolebinding.rbac.authorization.k8s.io/cozystack-oidc-0000000000000000";
  const { asked } = bind(["alice@example.org"], [alice, gone]);
  assert.deepEqual(
    asked.filter((one) => one.startsWith("delete")),
    [`delete ${gone} --ignore-not-found`],
  );
});

test("without users every binding goes, and nothing is made", () => {
  const { asked } = bind([], [alice]);
  assert.deepEqual(asked, [
    "get --raw=/readyz",
    "get clusterrolebindings --selector=a=b --output=name",
    `delete ${alice} --ignore-not-found`,
  ]);
});
