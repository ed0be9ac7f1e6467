import assert from "node:assert/strict";
import { test } from "node:test";
import { ownEngine } from "../../test/support/engine.ts";
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../kube/core-kinds.ts";
import { CozystackError, isApiError } from "../kube/errors.ts";
import { ConfigMap, Namespace } from "../kube/kinds/core.ts";
import type { KubeObject } from "../kube/object.ts";
import { systemWorld, type World } from "../kube/world.ts";
import { policy } from "../sdk/policies/policy.ts";
import { inForceObjects, policiesInForce } from "./policies-in-force.ts";

// An engine of its own: what is said here of the policies would upset those who install the platform.
const client = (await ownEngine({ components: ["etcd", "kube-apiserver"] })).client();
await client.apply(Namespace, Namespace("cozy-system"));

/** Policies that refuse ConfigMaps of these names. */
function refusing(names: readonly string[]): readonly KubeObject[] {
  const { policy: one, binding } = policy("refuses-names", {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [""],
          apiVersions: ["v1"],
          operations: ["CREATE"],
          resources: ["configmaps"],
          resourceNames: names,
        },
      ],
    },
    validations: [{ expression: "false", message: "no such name" }],
  });
  return [one, binding];
}

async function store(objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) {
    const kind =
      object.kind === "ValidatingAdmissionPolicy" ? ValidatingAdmissionPolicy : ValidatingAdmissionPolicyBinding;
    await client.apply<KubeObject>(kind, object);
  }
}

test("a policy refuses from the moment that the policies are said to be in force", async () => {
  for (const name of ["a", "b", "c"]) {
    const policies = refusing([name]);
    await store(policies);
    await store(inForceObjects(policies));
    await policiesInForce(client, policies, systemWorld);
    await assert.rejects(
      client.create(ConfigMap, ConfigMap(name, { namespace: "default" }), { dryRun: true }),
      (error) => isApiError(error, "Invalid") && /no such name/.test(error.message),
    );
  }
});

test("policies that never come into force are an error after a minute, which says what to look at", async () => {
  let time = 0;
  const sleep = async (milliseconds: number) => {
    time += milliseconds * 100;
  };
  const world: World = { ...systemWorld, monotonic: () => time, sleep };
  await assert.rejects(
    policiesInForce(client, refusing(["never-stored"]), world),
    (error) => error instanceof CozystackError && error.code === "PoliciesNotInForce" && /60 s/.test(error.message),
  );
});
