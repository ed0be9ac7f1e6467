/**
 * What tenants may run by themselves, should an administrator ever give them the right to: their own roles give none. The
 * same as Pod Security's `restricted` asks of what touches the machine below. Namespaces are not labelled for Pod
 * Security, which would also judge the pods of operators: virtual machines need more than it allows.
 */
import { celList, policy, type ResourceRule } from "./policy.ts";
import { byTenants, inTenants } from "./tenant-callers.ts";

const rule = (apiGroup: string, resources: readonly string[]): ResourceRule => ({
  apiGroups: [apiGroup],
  apiVersions: ["*"],
  operations: ["CREATE", "UPDATE"],
  resources,
});

const pod = "variables.pod";
const containers = "variables.containers";

/** Everything with a pod's form in it. */
export function tenantPods() {
  return policy("cozystack-tenant-pods", {
    matchConstraints: {
      resourceRules: [
        rule("", ["pods", "pods/ephemeralcontainers", "replicationcontrollers", "podtemplates"]),
        rule("apps", ["deployments", "statefulsets", "daemonsets", "replicasets"]),
        rule("batch", ["jobs", "cronjobs"]),
      ],
    },
    matchConditions: [inTenants, byTenants],
    variables: [
      {
        name: "pod",
        expression:
          "object.kind == 'Pod' ? object.spec : (object.kind == 'CronJob' ? object.spec.jobTemplate.spec.template.spec : (object.kind == 'PodTemplate' ? object.template.spec : object.spec.template.spec))",
      },
      {
        name: "containers",
        expression: `${pod}.containers + ${pod}.?initContainers.orValue([]) + ${pod}.?ephemeralContainers.orValue([])`,
      },
    ],
    validations: [
      forbidden(`!${containers}.exists(c, c.?securityContext.?privileged.orValue(false))`, "privileged containers"),
      forbidden(`!${pod}.?hostPID.orValue(false)`, "hostPID: the processes of the machine"),
      forbidden(`!${pod}.?hostIPC.orValue(false)`, "hostIPC: the memory that processes of the machine share"),
      forbidden(`!${pod}.?hostNetwork.orValue(false)`, "hostNetwork: the network of the machine"),
      forbidden(`!${pod}.?volumes.orValue([]).exists(v, has(v.hostPath))`, "volumes of hostPath: files of the machine"),
      forbidden(
        `!${containers}.exists(c, c.?ports.orValue([]).exists(p, p.?hostPort.orValue(0) != 0))`,
        "hostPort: ports of the machine",
      ),
      forbidden(
        `!${containers}.exists(c, c.?securityContext.?capabilities.?add.orValue([]).exists(x, !(x in ${celList(["NET_BIND_SERVICE"])})))`,
        "added capabilities other than NET_BIND_SERVICE",
      ),
      forbidden(
        `${containers}.all(c, c.?securityContext.?runAsNonRoot.orValue(${pod}.?securityContext.?runAsNonRoot.orValue(false)) && c.?securityContext.?runAsUser.orValue(1) != 0) && ${pod}.?securityContext.?runAsUser.orValue(1) != 0`,
        "containers without runAsNonRoot: true, and the user 0",
      ),
    ],
  });
}

function forbidden(expression: string, what: string) {
  return {
    expression,
    message: `tenants may not run ${what}; leave it out, or ask an administrator`,
    reason: "Forbidden" as const,
  };
}

/** Ports of every machine of the cluster belong to nobody's tenant. */
export function tenantNodePorts() {
  return policy("cozystack-tenant-node-ports", {
    matchConstraints: { resourceRules: [rule("", ["services"])] },
    matchConditions: [inTenants, byTenants],
    validations: [
      {
        expression: "object.?spec.?type.orValue('ClusterIP') != 'NodePort'",
        message: "spec.type: NodePort opens a port of every machine of the cluster; use LoadBalancer",
        reason: "Forbidden",
      },
      {
        expression:
          "object.?spec.?externalIPs.orValue([]) == (oldObject == null ? [] : oldObject.?spec.?externalIPs.orValue([]))",
        message:
          "spec.externalIPs: traffic to these addresses would be taken from whomever they belong to; use LoadBalancer",
        reason: "Forbidden",
      },
    ],
  });
}
