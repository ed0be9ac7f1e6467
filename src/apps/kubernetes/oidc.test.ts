import assert from "node:assert/strict";
import { test } from "node:test";
import { instanceTypes } from "../../../test/support/machines.ts";
import { renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { kubernetes } from "./index.ts";

const controlPlane = (spec: object) =>
  valueAt(
    renderApp(kubernetes, { spec, existing: instanceTypes }).object("KamajiControlPlane", "kubernetes-demo"),
    "spec",
  );

test("without single sign-on a control plane has no authentication configuration, and nothing of a former one stays (feature 101)", () => {
  const spec = controlPlane({});
  // Empty lists take away what was there.
  assert.deepEqual(valueAt(spec, "apiServer", "extraArgs"), []);
  assert.deepEqual(valueAt(spec, "apiServer", "extraVolumeMounts"), []);
  assert.ok(!JSON.stringify(spec).includes("authentication-config"));
});

test("a tenant's own arguments, volumes and mounts reach the API server as they are (feature 106)", () => {
  const extraArgs = ["--oidc-issuer-url=https://id.example.org", "--oidc-client-id=cluster"];
  const extraVolumes = [{ name: "authority", configMap: { name: "authority" } }];
  const extraVolumeMounts = [{ name: "authority", mountPath: "/etc/authority", readOnly: true }];
  const spec = controlPlane({ controlPlane: { apiServer: { extraArgs, extraVolumes, extraVolumeMounts } } });
  assert.deepEqual(valueAt(spec, "apiServer", "extraArgs"), extraArgs);
  assert.deepEqual(valueAt(spec, "apiServer", "extraVolumeMounts"), extraVolumeMounts);
  const volumes = valueAt(spec, "deployment", "extraVolumes");
  assert.deepEqual(Array.isArray(volumes) ? volumes.slice(2) : volumes, extraVolumes);
});
