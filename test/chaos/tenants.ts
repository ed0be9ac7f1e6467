/**
 * A tenant with what is ordered in it: a namespace of its own, a module, another application, deletion in stages.
 */
import { info } from "../../src/apps/info/index.ts";
import { tenant } from "../../src/apps/tenant/index.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { kindOfApp } from "../../src/reconcile/instance.ts";
import { Gizmo, gizmo, gizmoObject } from "../support/synthetic-app.ts";
import { change, create, remove, type Scenario } from "./scenario.ts";

const Tenant = kindOfApp(tenant);

const kid = (namespace: string): KubeObject =>
  Object.assign(
    { apiVersion: "apps.cozystack.io/v1alpha1", kind: "Tenant", metadata: { name: "kid", namespace } },
    { spec: {} },
  );

export const tenantScenarios: readonly Scenario[] = [
  {
    name: "Tenant: create, order in it, change, delete",
    apps: [tenant, info, gizmo],
    children: ["kid"],
    steps: [
      create("create", Tenant, kid),
      create("order", Gizmo, (namespace) => gizmoObject("a", `${namespace}-kid`, { extra: ["one"] })),
      change("change", Tenant, "kid", { spec: { host: "kid.example.org", resourceQuotas: { cpu: "4" } } }),
      remove("delete", Tenant, "kid"),
    ],
    steady: [],
  },
];
