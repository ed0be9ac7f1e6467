import assert from "node:assert/strict";
import { after, test } from "node:test";
import { json, scriptedServer } from "../../test/support/scripted-server.ts";
import { connect } from "../kube/connect.ts";
import { requireKubernetes } from "./kubernetes-version.ts";

const rows: readonly { readonly version: string; readonly refused?: RegExp }[] = [
  { version: "v1.32.13", refused: /runs Kubernetes v1\.32\.13, and the platform needs 1\.33 or newer/ },
  { version: "v1.9.0+k3s1", refused: /v1\.9\.0\+k3s1/ },
  { version: "v1.33.0" },
  { version: "v1.35.4-eks-1" },
  { version: "v2.0.0" },
  { version: "a build of one's own" },
];
for (const { version, refused } of rows) {
  test(`Kubernetes ${version} is ${refused === undefined ? "taken" : "refused"} (feature 45)`, async () => {
    const { url } = await scriptedServer((_, answer) => json(answer, 200, { gitVersion: version }));
    const client = connect({ server: url, fieldManager: "test" });
    after(() => client.close());
    const check = () => requireKubernetes(client);
    if (refused === undefined) await check();
    else await assert.rejects(check, { code: "KubernetesTooOld", message: refused });
  });
}
