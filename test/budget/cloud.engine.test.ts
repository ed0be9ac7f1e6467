/** Budgets with everything that runs in the product, tenants ordered as their users do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { QUOTA_KEYS } from "../../src/apps/tenant/quota.ts";
import { Namespace, Pod, ResourceQuota } from "../../src/contracts/core.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { quotaAbove } from "../../src/sdk/policies/tenant-share.ts";
import { Tenant } from "../../src/tenancy/quota/tenant-kind.ts";
import { appOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";

const cloud = await startCloud();
const { admin, root } = cloud;

const podOf = (name: string, namespace: string) =>
  admin.create(Pod, Pod(name, { namespace, spec: { containers: [{ name: "c", image: "scratch" }] } }));

test("a tenant below a budget is marked, gets its share, and runs what asks for nothing", async () => {
  const parent = await cloud.tenant("p", root, {
    resourceQuotas: { cpu: 4, memory: "4Gi", "ephemeral-storage": "40Gi" },
  });
  await eventually("the parent's share", async () => {
    return (await admin.get(Namespace, parent))?.metadata.annotations?.[QUOTA_KEYS] !== undefined;
  });
  const child = await cloud.tenant("c", parent);
  const { metadata } = (await admin.get(Namespace, child)) ?? {};
  assert.equal(metadata?.annotations?.[quotaAbove], "true");
  await eventually("the child's share", async () => {
    return (await admin.get(Namespace, child))?.metadata.annotations?.[QUOTA_KEYS] !== undefined;
  });
  await eventually("a pod", () =>
    podOf("plain", child).catch((error: unknown) =>
      isApiError(error, "QuotaExceeded", "Forbidden") ? undefined : Promise.reject(error),
    ),
  );
  assert.notEqual(await admin.get(ResourceQuota, "tenant-quota", parent), undefined);
  assert.equal(await admin.get(ResourceQuota, "tenant-quota", child), undefined);
  await cloud.rest();
  assert.ok((await cloud.get(appOf("Tenant"), "c", parent)) !== undefined);
  await cloud.remove(appOf("Tenant"), "c", parent);
});

test("a condition about budgets outlives what the tenant's own controller writes", async () => {
  const top = await cloud.tenant("o", root, { resourceQuotas: { cpu: 4 } });
  await cloud.tenant("x", top, { resourceQuotas: { cpu: 3 } });
  // No gate is in front of these: an administrator's fault.
  await admin.mergePatch(Tenant, "o", root, { spec: { resourceQuotas: { cpu: 2 } } });
  const types = async (): Promise<readonly string[]> => {
    const conditions = (await admin.get(Tenant, "o", root))?.status?.["conditions"];
    return Array.isArray(conditions)
      ? conditions.filter(({ status }) => status === "True").map(({ type }) => String(type))
      : [];
  };
  await eventually("overcommitted and ready", async () => {
    const found = await types();
    return found.includes("QuotaOvercommitted") && found.includes("Ready");
  });
  await cloud.change(appOf("Tenant"), "o", root, { schedulingClass: "slow" });
  await cloud.ready(appOf("Tenant"), "o", root);
  await eventually("still both", async () => {
    const found = await types();
    return found.includes("QuotaOvercommitted") && found.includes("Ready");
  });
});

test("a namespace whose share is not in force admits no pod", async () => {
  const namespace = await cloud.engine.namespace("share");
  await admin.mergePatch(Namespace, namespace, undefined, { metadata: { annotations: { [quotaAbove]: "true" } } });
  await eventually("a refusal", () =>
    podOf("p", namespace).then(
      () => admin.delete(Pod, "p", namespace, { gracePeriodSeconds: 0 }).then(() => undefined),
      (error: unknown) =>
        isApiError(error, "Forbidden") && /share of the budget above it is being set up/.test(error.message),
    ),
  );
  await admin.mergePatch(Namespace, namespace, undefined, { metadata: { annotations: { [QUOTA_KEYS]: "pods" } } });
  await eventually("a pod", () => podOf("q", namespace).catch(() => undefined));
});

test("the budget of a tenant that is being deleted cannot be changed, anything else of it can", async () => {
  const namespace = await cloud.engine.namespace("going");
  const held = Tenant("g", {
    namespace,
    metadata: { finalizers: ["example.org/held"] },
    spec: { resourceQuotas: { cpu: 1 } },
  });
  await admin.create(Tenant, held);
  await admin.delete(Tenant, "g", namespace);
  await assert.rejects(
    admin.mergePatch(Tenant, "g", namespace, { spec: { resourceQuotas: { cpu: 9 } } }),
    (error) => isApiError(error, "Forbidden") && /being deleted cannot be changed/.test(error.message),
  );
  await admin.mergePatch(Tenant, "g", namespace, { metadata: { labels: { a: "b" } } });
  await admin.mergePatch(Tenant, "g", namespace, { metadata: { finalizers: null } });
});
