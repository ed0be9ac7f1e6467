/** The controller of the cluster's volumes: each is a volume here, that is plugged into the machine that uses it. */
import { ServiceAccount } from "../../contracts/core.ts";
import type { Container } from "../../contracts/pod.ts";
import { ClusterRole, ClusterRoleBinding } from "../../kube/core-kinds.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { Role, RoleBinding, roleRef, serviceAccount } from "../../sdk/rbac.ts";
import { dataStore, kubeconfigFile } from "./names.ts";
import { containerResources, controllerDeployment, kubeconfigMount, kubeconfigVolume, rule } from "./pods.ts";
import type { Input } from "./spec.ts";
import { images } from "./versions.ts";

const sockets = "/var/lib/csi/sockets/pluginproxy";
const kubeconfig = `--kubeconfig=${kubeconfigFile}`;

const atSockets = { name: "socket-dir", mountPath: `${sockets}/` };
const atCsi = { name: "socket-dir", mountPath: "/csi" };
const address = (value: string) => [{ name: "ADDRESS", value }];

const common = {
  resources: containerResources,
  securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ["ALL"] } },
};

const driver = (release: string): Container => ({
  name: "csi-driver",
  image: images.csiDriver,
  imagePullPolicy: "Always",
  args: [
    "--endpoint=$(CSI_ENDPOINT)",
    "--infra-cluster-namespace=$(INFRACLUSTER_NAMESPACE)",
    "--infra-cluster-labels=$(INFRACLUSTER_LABELS)",
    "--run-node-service=false",
    "--v=5",
  ],
  ports: [{ name: "healthz", containerPort: 10_301, protocol: "TCP" }],
  env: [
    { name: "CSI_ENDPOINT", value: `unix://${sockets}/csi.sock` },
    { name: "KUBE_NODE_NAME", valueFrom: { fieldRef: { fieldPath: "spec.nodeName" } } },
    { name: "INFRACLUSTER_NAMESPACE", valueFrom: { fieldRef: { fieldPath: "metadata.namespace" } } },
    { name: "INFRACLUSTER_LABELS", value: `cluster.x-k8s.io/cluster-name=${release}` },
    {
      name: "INFRA_STORAGE_CLASS_ENFORCEMENT",
      valueFrom: { configMapKeyRef: { name: "driver-config", key: "infraStorageClassEnforcement", optional: true } },
    },
  ],
  volumeMounts: [atSockets, kubeconfigMount],
  ...common,
});

const sidecars: readonly Container[] = [
  {
    name: "csi-provisioner",
    image: images.csiProvisioner,
    args: [
      "--csi-address=$(ADDRESS)",
      "--default-fstype=ext4",
      kubeconfig,
      "--v=5",
      "--timeout=3m",
      "--retry-interval-max=1m",
    ],
    env: address(`${sockets}/csi.sock`),
    volumeMounts: [atSockets, kubeconfigMount],
    ...common,
  },
  {
    name: "csi-attacher",
    image: images.csiAttacher,
    args: ["--csi-address=$(ADDRESS)", kubeconfig, "--v=5", "--timeout=3m", "--retry-interval-max=1m"],
    env: address(`${sockets}/csi.sock`),
    volumeMounts: [atSockets, kubeconfigMount],
    ...common,
  },
  {
    name: "csi-liveness-probe",
    image: images.csiLivenessProbe,
    args: ["--csi-address=/csi/csi.sock", "--probe-timeout=3s", "--health-port=10301"],
    volumeMounts: [atCsi],
    ...common,
  },
  {
    name: "csi-snapshotter",
    image: images.csiSnapshotter,
    imagePullPolicy: "IfNotPresent",
    args: ["--timeout=1m", "--csi-address=$(ADDRESS)", "--worker-threads=10", kubeconfig],
    env: address("/csi/csi.sock"),
    volumeMounts: [atCsi, kubeconfigMount],
    ...common,
  },
  {
    name: "snapshot-controller",
    image: images.snapshotController,
    imagePullPolicy: "IfNotPresent",
    args: ["--worker-threads=10", kubeconfig],
    volumeMounts: [kubeconfigMount],
    ...common,
  },
  {
    name: "csi-resizer",
    image: images.csiResizer,
    args: [
      "-csi-address=/csi/csi.sock",
      `-kubeconfig=${kubeconfigFile}`,
      "-v=5",
      "-timeout=3m",
      "-handle-volume-inuse-error=false",
    ],
    volumeMounts: [atCsi, kubeconfigMount],
    ...common,
  },
];

function role(name: string): Rendered {
  return Role(name, {
    rules: [
      rule("cdi.kubevirt.io", ["datavolumes"], ["get", "create", "delete"]),
      rule("kubevirt.io", ["virtualmachineinstances", "virtualmachines"], ["list", "get"]),
      rule("subresources.kubevirt.io", ["virtualmachines/addvolume", "virtualmachines/removevolume"], ["update"]),
      rule("snapshot.storage.k8s.io", ["volumesnapshots"], ["get", "create", "delete"]),
      rule("", ["persistentvolumeclaims"], ["get", "patch"]),
      rule("cilium.io", ["ciliumnetworkpolicies"], ["get", "create", "update", "delete"]),
    ],
  });
}

function deployment(name: string, input: Input): Rendered {
  const { release } = input;
  const labels = { app: `${release}-kcsi-driver` };
  return controllerDeployment(`${release}-kcsi-controller`, input, {
    labels,
    serviceAccountName: name,
    pod: {
      priorityClassName: "system-cluster-critical",
      containers: [driver(release), ...sidecars],
      volumes: [{ name: "socket-dir", emptyDir: {} }, kubeconfigVolume(release)],
    },
  });
}

/** What has no namespace is named after this one: clusters of other tenants may have the same name. */
export function csiController(input: Input): readonly Rendered[] {
  const { release, namespace } = input;
  const name = `${release}-kcsi`;
  const wide = `${namespace}-${name}`;
  return [
    ServiceAccount(name),
    role(name),
    RoleBinding(name, { roleRef: roleRef(name), subjects: [{ kind: "ServiceAccount", name }] }),
    ClusterRole(wide, { rules: [{ apiGroups: [""], resources: ["persistentvolumes"], verbs: ["get"] }] }),
    ClusterRoleBinding(`${wide}-binding`, {
      roleRef: roleRef(wide, "ClusterRole"),
      subjects: [serviceAccount(name, namespace)],
    }),
    ...(dataStore(input) === "" ? [] : [deployment(name, input)]),
  ];
}
