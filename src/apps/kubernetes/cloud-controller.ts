/** The cloud controller: Services of type LoadBalancer in the cluster become Services here, machines become nodes. */

import { stringify } from "yaml";
import { ConfigMap, ServiceAccount } from "../../contracts/core.ts";
import { ClusterRole, ClusterRoleBinding } from "../../kube/core-kinds.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { Role, RoleBinding, roleRef, serviceAccount } from "../../sdk/rbac.ts";
import { dataStore, kubeconfigFile, tenantLabels } from "./names.ts";
import { containerResources, controllerDeployment, kubeconfigMount, kubeconfigVolume, rule } from "./pods.ts";
import type { Input } from "./spec.ts";
import { images } from "./versions.ts";

const configName = (release: string): string => `${release}-cloud-config`;

export const cloudConfigVolume = (release: string) => ({
  name: "cloud-config",
  configMap: { name: configName(release) },
});

function config(input: Input): Rendered {
  const { release, namespace } = input;
  const content = {
    loadBalancer: {
      creationPollInterval: 5,
      creationPollTimeout: 60,
      enableEPSController: true,
      selectorless: true,
    },
    namespace,
    infraLabels: tenantLabels(input),
  };
  return ConfigMap(configName(release), { data: { "cloud-config": stringify(content) } });
}

function deployment(name: string, input: Input): Rendered {
  const { release } = input;
  const labels = { "k8s-app": name };
  return controllerDeployment(name, input, {
    labels,
    serviceAccountName: name,
    pod: {
      containers: [
        {
          name: "kubevirt-cloud-controller-manager",
          image: images.cloudController,
          imagePullPolicy: "Always",
          command: ["/bin/kubevirt-cloud-controller-manager"],
          args: [
            "--cloud-provider=kubevirt",
            "--cloud-config=/etc/cloud/cloud-config",
            `--kubeconfig=${kubeconfigFile}`,
            `--cluster-name=${release}`,
          ],
          resources: containerResources,
          volumeMounts: [kubeconfigMount, { name: "cloud-config", mountPath: "/etc/cloud", readOnly: true }],
        },
      ],
      volumes: [cloudConfigVolume(release), kubeconfigVolume(release)],
    },
  });
}

/** By name: everything would be what is added later as well. */
const all = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"] as const;

function role(name: string): Rendered {
  return Role(name, {
    rules: [
      rule("kubevirt.io", ["virtualmachines"], ["get", "watch", "list"]),
      rule("kubevirt.io", ["virtualmachineinstances"], ["get", "watch", "list", "update"]),
      rule("", ["pods"], ["get", "list", "watch"]),
      rule("", ["services"], all),
      rule("discovery.k8s.io", ["endpointslices"], all),
      rule("", ["nodes"], ["get"]),
    ],
  });
}

export function cloudController(input: Input): readonly Rendered[] {
  const { release, namespace } = input;
  const name = `${release}-kccm`;
  const wide = `${namespace}-${name}`;
  const subjects = [serviceAccount(name, namespace)];
  return [
    config(input),
    ServiceAccount(name),
    role(name),
    RoleBinding(name, { roleRef: roleRef(name), subjects }),
    ClusterRole(wide, { rules: [{ apiGroups: [""], resources: ["nodes"], verbs: ["get"] }] }),
    ClusterRoleBinding(wide, { roleRef: roleRef(wide, "ClusterRole"), subjects }),
    RoleBinding(wide, {
      namespace: "kube-system",
      roleRef: roleRef("extension-apiserver-authentication-reader"),
      subjects,
    }),
    ...(dataStore(input) === "" ? [] : [deployment(name, input)]),
  ];
}
