/** What a cluster of machines needs to be there, for tests: a size of machines, and a control plane that answers. */
import { Secret, Service } from "../../src/contracts/core.ts";
import { VirtualMachineClusterInstancetype } from "../../src/contracts/instancetype-kubevirt-io.ts";
import type { KubeObject } from "../../src/kube/object.ts";

export const instanceTypes: readonly KubeObject[] = ["u1.medium", "u1.large"].map((name, at) =>
  VirtualMachineClusterInstancetype(name, { spec: { cpu: { guest: at + 1 }, memory: { guest: `${4 * (at + 1)}Gi` } } }),
);

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** What Kamaji and cert-manager make for a cluster, by its Cluster API name, and the DNS Service of this one. */
export const controlPlaneOf = (cluster: string): readonly KubeObject[] => [
  Service(cluster, { spec: { clusterIP: "10.96.77.7" } }),
  Service("kube-dns", { namespace: "kube-system", spec: { clusterIP: "10.96.0.10" } }),
  Secret(`${cluster}-talos-ca`, { data: { "tls.crt": base64("TALOS") } }),
  Secret(`${cluster}-ca`, { data: { "ca.crt": base64("K8S") } }),
];

/** What machines and control plane share, as a cluster leaves it in its Secret. */
export const talosSecretsOf = (cluster: string): KubeObject =>
  Secret(`${cluster}-talos-secrets`, {
    data: {
      token: base64("abcdef.0123456789abcdef"),
      clusterId: base64("id"),
      clusterSecret: base64("secret"),
      bootstrapTokenId: base64("fedcba"),
      bootstrapTokenSecret: base64("fedcba9876543210"),
      bootstrapToken: base64("stale"),
    },
  });

export const controlPlane = controlPlaneOf("kubernetes-demo");
export const talosSecrets = talosSecretsOf("kubernetes-demo");
