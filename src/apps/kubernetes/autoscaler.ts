/** The autoscaler: it alone says how many machines a group has. */
import { ServiceAccount } from "../../contracts/core.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { Role, RoleBinding, roleRef, serviceAccount } from "../../sdk/rbac.ts";
import { cloudConfigVolume } from "./cloud-controller.ts";
import { autoscalerName, kubeconfigFile } from "./names.ts";
import { containerResources, controllerDeployment, kubeconfigMount, kubeconfigVolume, rule } from "./pods.ts";
import type { Input } from "./spec.ts";
import { images } from "./versions.ts";

const verbs = ["get", "list", "update", "watch"] as const;

function deployment(name: string, input: Input): Rendered {
  const { release, namespace } = input;
  const labels = { app: name };
  return controllerDeployment(name, input, {
    labels,
    serviceAccountName: name,
    pod: {
      terminationGracePeriodSeconds: 10,
      containers: [
        {
          name: "cluster-autoscaler",
          image: images.autoscaler,
          command: ["/cluster-autoscaler"],
          args: [
            "--cloud-provider=clusterapi",
            "--enforce-node-group-min-size=true",
            "--ignore-daemonsets-utilization=true",
            "--ignore-mirror-pods-utilization=true",
            "--scale-down-unneeded-time=30s",
            "--scan-interval=25s",
            `--kubeconfig=${kubeconfigFile}`,
            "--clusterapi-cloud-config-authoritative",
            `--node-group-auto-discovery=clusterapi:namespace=${namespace},clusterName=${release}`,
          ],
          resources: containerResources,
          volumeMounts: [kubeconfigMount],
        },
      ],
      volumes: [cloudConfigVolume(release), kubeconfigVolume(release)],
    },
  });
}

export function autoscaler(input: Input): readonly Rendered[] {
  const name = autoscalerName(input.release);
  return [
    ServiceAccount(name),
    Role(name, {
      rules: [
        rule(
          "cluster.x-k8s.io",
          ["machinedeployments", "machinedeployments/scale", "machines", "machinesets", "machinepools"],
          verbs,
        ),
        rule("infrastructure.cluster.x-k8s.io", ["kubevirtmachinetemplates"], verbs),
      ],
    }),
    RoleBinding(name, { roleRef: roleRef(name), subjects: [serviceAccount(name, input.namespace)] }),
    deployment(name, input),
  ];
}
