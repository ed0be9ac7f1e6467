/**
 * Every admission policy with its binding, for the applications that are served.
 */
import type { KubeObject } from "../../kube/object.ts";
import type { App } from "../app.ts";
import { applicationNames } from "./application-names.ts";
import { comingRules } from "./coming-rules.ts";
import { applicationStatus, machineMarks, ourFinalizers, ourMarks } from "./controller-fields.ts";
import { definitionNames } from "./definition-names.ts";
import { gatewayHosts, routeHostnames, tlsRouteHostnames } from "./gateway-hosts.ts";
import { ingressHosts } from "./ingress-hosts.ts";
import { moduleNames } from "./module-names.ts";
import { namespaceHost } from "./namespace-host.ts";
import { noDelete } from "./no-delete.ts";
import type { BoundPolicy } from "./policy.ts";
import { reservedKeys } from "./reserved-keys.ts";
import { tenantBudget } from "./tenant-budget.ts";
import { tenantHost } from "./tenant-host.ts";
import { tenantMachines } from "./tenant-machines.ts";
import { tenantNodePorts, tenantPods } from "./tenant-pods.ts";
import { tenantShare } from "./tenant-share.ts";

export { adoptionGroup, hostGroups, platformGroups } from "./callers.ts";
export { noDeleteLabel } from "./no-delete.ts";

/** Every policy, with its binding. */
export function boundPolicies(apps: readonly App[]): readonly BoundPolicy[] {
  return [
    reservedKeys(),
    applicationNames(apps),
    moduleNames(apps),
    tenantHost(),
    tenantBudget(),
    tenantShare(),
    tenantPods(),
    tenantNodePorts(),
    tenantMachines(),
    namespaceHost(),
    ingressHosts(),
    gatewayHosts(),
    routeHostnames(),
    tlsRouteHostnames(),
    definitionNames(),
    noDelete(),
    applicationStatus(),
    ourFinalizers(),
    ourMarks(),
    machineMarks(),
    ...comingRules(apps),
  ];
}

/** The objects to install: policies before their bindings. */
export function admissionPolicies(apps: readonly App[]): readonly KubeObject[] {
  return boundPolicies(apps).flatMap(({ policy, binding }) => [policy, binding]);
}
