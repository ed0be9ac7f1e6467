import Type from "typebox";
import { defineApp } from "../../sdk/define-app.ts";
import { tenantNamespace } from "../../sdk/names.ts";
import { needs } from "./needs.ts";
import { QuotaStatus } from "./quota-status.ts";
import { render } from "./render.ts";
import { TenantSpec } from "./spec.ts";

/** A tenant: a namespace with its own people, network boundary, quota and modules. Tenants nest. */
export const tenant = defineApp({
  kind: "Tenant",
  plural: "tenants",
  release: "tenant-",
  catalog: {
    title: "Tenant",
    titlePlural: "Tenants",
    category: "Administration",
    summary: "Separate tenant with its own people, network and quota",
    fieldOrder: [
      "host",
      "etcd",
      "monitoring",
      "ingress",
      "gateway",
      "seaweedfs",
      "computeplane",
      "schedulingClass",
      "resourceQuotas",
    ],
  },
  spec: TenantSpec,
  status: {
    namespace: Type.Optional(Type.String({ description: "Namespace of what the tenant orders." })),
    externalIPsCount: Type.Optional(
      Type.Integer({
        format: "int32",
        description:
          "Services of type LoadBalancer in that namespace that have an IP address; absent where there is none.",
      }),
    ),
    quota: Type.Optional(QuotaStatus),
  },
  columns: ["cpu", "memory", "storage"].map((resource) => ({
    name: resource.toUpperCase(),
    type: "string",
    jsonPath: `.status.quota.summary.${resource}`,
    description: `Of the budget of ${resource}: what is allocated to tenants below or in use, and all of it.`,
  })),
  needs,
  render,
  statusOf: ({ name, namespace }) => ({ namespace: tenantNamespace(namespace, name) }),
  // Applications may need the modules to the end: a database its backups, a cluster its etcd.
  deletion: ({ name, namespace }) => {
    const own = tenantNamespace(namespace, name);
    // tenant-root lives in its own namespace and would wait for itself; it is not deleted while anything is in it.
    if (own === namespace) return [];
    return [
      { namespace: own, of: "applications" },
      { namespace: own, of: "modules" },
    ];
  },
});
