/**
 * Where monitoring differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

const cleanup = "{release}-cleanup";

/** One of upstream's hook objects. */
const hook = (object: string): Deviation => ({
  class: "hook",
  cases: "all",
  object,
  only: "missing",
  test: "what deletion frees: volumes by their label, databases, and what certificates leave behind",
  reason:
    "After deletion the controller itself frees volumes and removes certificates; upstream ran a Job once, whose failures were warnings.",
});

/** Objects that upstream's second release made. */
const inner = (object: string): Deviation => ({
  class: "innerRelease",
  cases: "all",
  object,
  only: "extra",
  reason: "What upstream installed as a second release is rendered directly.",
});

const innerUnseen = (object: string, test: string): Deviation => ({
  class: "innerRelease",
  cases: "unseen",
  object,
  only: "extra",
  test,
  reason: "What upstream installed as a second release is rendered directly.",
});

const email = /^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$/;

function emails(values: unknown): readonly unknown[] {
  const users = valueAt(values, "oidc", "users");
  return Array.isArray(users) ? users.map((user) => valueAt(user, "email")) : [];
}

export const monitoring: readonly Deviation[] = [
  hook(`batch/v1/Job/${cleanup}`),
  hook(`v1/ServiceAccount/${cleanup}`),
  hook(`rbac.authorization.k8s.io/v1/Role/${cleanup}`),
  hook(`rbac.authorization.k8s.io/v1/RoleBinding/${cleanup}`),
  {
    class: "innerRelease",
    cases: "all",
    replaced: ["helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-system"],
    by: ["grafana.integreatly.org/v1beta1/Grafana/grafana", "apps/v1/Deployment/alerta"],
    reason: "The stack is rendered directly; upstream installed it as a second release.",
  },
  inner("operator.victoriametrics.com/v1beta1/VMCluster/*"),
  inner("operator.victoriametrics.com/v1/VLCluster/*"),
  inner("operator.victoriametrics.com/v1beta1/VMServiceScrape/*"),
  inner("operator.victoriametrics.com/v1beta1/VMAlert/*"),
  inner("operator.victoriametrics.com/v1beta1/VMAlertmanager/alertmanager"),
  inner("operator.victoriametrics.com/v1beta1/VMAgent/vmagent"),
  inner("autoscaling.k8s.io/v1/VerticalPodAutoscaler/*"),
  inner("grafana.integreatly.org/v1beta1/GrafanaDatasource/*"),
  inner("grafana.integreatly.org/v1beta1/GrafanaDashboard/*"),
  inner("postgresql.cnpg.io/v1/Cluster/grafana-db"),
  inner("postgresql.cnpg.io/v1/Cluster/alerta-db"),
  inner("v1/Secret/grafana-admin-password"),
  inner("v1/Secret/alerta"),
  inner("v1/Secret/alertmanager"),
  inner("v1/ConfigMap/alerta"),
  inner("v1/Service/alerta"),
  inner("networking.k8s.io/v1/Ingress/alerta"),
  innerUnseen(
    "v1/Secret/{release}-system-oidc-client",
    "the platform's Keycloak: a client, its scope, and what Grafana is told; its form stays (features 108 and 113)",
  ),
  innerUnseen(
    "v1.edp.epam.com/v1/KeycloakClient/*",
    "the platform's Keycloak: a client, its scope, and what Grafana is told; its form stays (features 108 and 113)",
  ),
  innerUnseen(
    "v1.edp.epam.com/v1/KeycloakClientScope/*",
    "the platform's Keycloak: a client, its scope, and what Grafana is told; its form stays (features 108 and 113)",
  ),
  innerUnseen("v1/Secret/alerta-notifiers", "notifiers: their tokens are in a Secret only"),
  innerUnseen(
    "gateway.networking.k8s.io/v1/HTTPRoute/grafana",
    "with the platform's gateway both pages get a route instead of an ingress",
  ),
  innerUnseen(
    "gateway.networking.k8s.io/v1/HTTPRoute/alerta",
    "with the platform's gateway both pages get a route instead of an ingress",
  ),
  {
    class: "design",
    cases: "all",
    outcome: "refuses",
    when: (values) => emails(values).some((each) => typeof each !== "string" || !email.test(each)),
    reason: "A user without a full email address is refused at once; upstream's second release failed instead.",
  },
  {
    class: "fault",
    cases: "all",
    object: "rbac.authorization.k8s.io/v1/Role/{release}-dashboard-resources",
    at: "/rules/3/resourceNames",
    reason: "The tenant's people see the monitor of Alertmanager; upstream misspelt its name.",
  },
];
