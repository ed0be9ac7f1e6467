/** What runs beside a cluster: upstream's own pins. */
const platform = "ghcr.io/cozystack/cozystack";

export const images = {
  waitForKubeconfig:
    "docker.io/library/busybox:1.37.0@sha256:1487d0af5f52b4ba31c7e465126ee2123fe3f2305d638e7827681e7cf6c83d5e",
  kubectl: "docker.io/alpine/k8s:1.33.4@sha256:b0523f0a244ddc4c8e055aa335c040d3d78b3ead5528f4544395f7f9f69c7b68",
  talosCsrSigner: `${platform}/talos-csr-signer:v1.6.0@sha256:85b41e16e5e40398b1272fe0a69de72e205532c8034d0e6a9fc4a1d510f17818`,
  autoscaler: `${platform}/cluster-autoscaler:v1.6.0@sha256:d188f395a31e37ea09bfa91e45d7ce1606b7459192a437fa66bb760ffb5f17d2`,
  cloudController: `${platform}/kubevirt-cloud-provider:v1.6.0@sha256:f005b99041d191eed9dde98f9f6691ba2d0cbfa1b3b0b2fe4b32cc0fdba74acf`,
  csiDriver: `${platform}/kubevirt-csi-driver:v1.6.0@sha256:d6326e343c7932ce3d375c6742b9b9745090a4a26bf5bbc5ad19f5504ea93d65`,
  csiProvisioner: "quay.io/openshift/origin-csi-external-provisioner:latest",
  csiAttacher: "quay.io/openshift/origin-csi-external-attacher:latest",
  csiLivenessProbe: "quay.io/openshift/origin-csi-livenessprobe:latest",
  csiSnapshotter: "registry.k8s.io/sig-storage/csi-snapshotter:v8.3.0",
  snapshotController: "registry.k8s.io/sig-storage/snapshot-controller:v8.3.0",
  csiResizer: "registry.k8s.io/sig-storage/csi-resizer:v1.13.1",
} as const;

/** Of the tunnel to the machines, where Kamaji would choose another one. */
export const konnectivityVersions: Readonly<Partial<Record<string, string>>> = { "v1.35": "v0.34.0" };
