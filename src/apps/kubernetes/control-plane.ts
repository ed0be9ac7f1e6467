/** The cluster for Cluster API, and its control plane for Kamaji. */
import { Cluster } from "../../contracts/cluster-x-k8s-io.ts";
import { KamajiControlPlane } from "../../contracts/controlplane-cluster-x-k8s-io.ts";
import { KubevirtCluster } from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import type { Container } from "../../contracts/pod.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { controlPlaneNames } from "../../sdk/node-pool/talos-config.ts";
import { talosSecretName } from "../../sdk/node-pool/talos-secrets.ts";
import { kubernetesVersions, podSubnet, serviceSubnet } from "../../sdk/node-pool/versions.ts";
import { resources } from "../../sdk/resources.ts";
import { authenticationVolume } from "./checks.ts";
import { configurationKey, dataStore, externalHost } from "./names.ts";
import { authenticationSecret } from "./oidc.ts";
import type { Input } from "./spec.ts";
import { images, konnectivityVersions } from "./versions.ts";

/** Answers machines that ask for certificates. */
const trustd = 50_001;

const authenticationFolder = `/etc/kubernetes/${authenticationVolume}`;

function signer({ release, spec }: Input): Container {
  return {
    name: "talos-csr-signer",
    image: spec.images.talosCsrSigner || images.talosCsrSigner,
    imagePullPolicy: "IfNotPresent",
    ports: [{ name: "trustd", containerPort: trustd, protocol: "TCP" }],
    env: [{ name: "TALOS_TOKEN", valueFrom: { secretKeyRef: { name: talosSecretName(release), key: "token" } } }],
    resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { cpu: "200m", memory: "128Mi" } },
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65_532,
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
      seccompProfile: { type: "RuntimeDefault" },
    },
    volumeMounts: [
      { name: "talos-ca", mountPath: "/etc/talos-ca", readOnly: true },
      { name: "talos-tls-cert", mountPath: "/etc/talos-server-crt", readOnly: true },
    ],
  };
}

/** Lists are there also when they are empty: an empty one takes away what was there. */
function apiServer(input: Input) {
  const { spec, context } = input;
  const { apiServer: given } = spec.controlPlane;
  const mounts = given.extraVolumeMounts.map((mount) => ({ ...mount, name: String(mount["name"]) }));
  const own = spec.oidc.mode !== "None";
  return {
    resources: resources(given, context, "spec.controlPlane.apiServer"),
    extraArgs: [
      ...given.extraArgs,
      ...(own ? [`--authentication-config=${authenticationFolder}/${configurationKey}`] : []),
    ],
    extraVolumeMounts: [
      ...mounts,
      ...(own ? [{ name: authenticationVolume, mountPath: authenticationFolder, readOnly: true }] : []),
    ],
  };
}

function volumes(input: Input) {
  const { release, spec } = input;
  const given = spec.controlPlane.apiServer.extraVolumes.map((volume) => ({ ...volume, name: String(volume["name"]) }));
  const secretName = authenticationSecret(input);
  const items = [{ key: configurationKey, path: configurationKey }];
  return [
    { name: "talos-ca", secret: { secretName: `${release}-talos-ca` } },
    { name: "talos-tls-cert", secret: { secretName: `${release}-talos-tls-cert` } },
    ...given,
    ...(secretName === undefined ? [] : [{ name: authenticationVolume, secret: { secretName, items } }]),
  ];
}

function konnectivity({ spec, context }: Input) {
  const chosen = konnectivityVersions[spec.version];
  const version = chosen === undefined ? {} : { version: chosen };
  const server = resources(spec.controlPlane.konnectivity.server, context, "spec.controlPlane.konnectivity.server");
  return {
    ...(chosen === undefined ? {} : { agent: version }),
    server: { port: 8132, ...version, resources: server },
  };
}

/** `address`: that of the control plane's Service, once there is one; its certificate is for that as well. */
function controlPlane(input: Input, address: string | undefined): Rendered {
  const { release, namespace, spec, context } = input;
  const { controlPlane: given } = spec;
  return KamajiControlPlane(release, {
    namespace,
    labels: { "cluster.x-k8s.io/role": "control-plane" },
    annotations: { "kamaji.clastix.io/kubeconfig-secret-key": "super-admin.svc" },
    spec: {
      version: kubernetesVersions[spec.version],
      replicas: given.replicas,
      dataStoreName: dataStore(input),
      apiServer: apiServer(input),
      controllerManager: {
        resources: resources(given.controllerManager, context, "spec.controlPlane.controllerManager"),
      },
      scheduler: { resources: resources(given.scheduler, context, "spec.controlPlane.scheduler") },
      addons: { konnectivity: konnectivity(input) },
      kubelet: { cgroupfs: "systemd", preferredAddressTypes: ["InternalIP", "ExternalIP"] },
      network: {
        serviceType: "ClusterIP",
        ingress: {
          hostname: `${externalHost(input)}:443`,
          className: context.namespace.ingress,
          extraAnnotations: { "nginx.ingress.kubernetes.io/ssl-passthrough": "true" },
        },
        additionalServicePorts: [{ name: "talos-trustd", port: trustd, targetPort: trustd, protocol: "TCP" }],
        certSANs: [...controlPlaneNames({ cluster: release, namespace }), ...(address === undefined ? [] : [address])],
      },
      deployment: {
        podAdditionalMetadata: { labels: { "policy.cozystack.io/allow-to-etcd": "true" } },
        extraContainers: [signer(input)],
        extraVolumes: volumes(input),
      },
    },
  });
}

export function cluster(input: Input, address: string | undefined): readonly Rendered[] {
  const { release: name, namespace } = input;
  return [
    Cluster(name, {
      namespace,
      spec: {
        clusterNetwork: { pods: { cidrBlocks: [podSubnet] }, services: { cidrBlocks: [serviceSubnet] } },
        controlPlaneRef: {
          apiVersion: "controlplane.cluster.x-k8s.io/v1alpha1",
          kind: "KamajiControlPlane",
          name,
          namespace,
        },
        infrastructureRef: {
          apiVersion: "infrastructure.cluster.x-k8s.io/v1alpha1",
          kind: "KubevirtCluster",
          name,
          namespace,
        },
      },
    }),
    KubevirtCluster(name, { namespace, annotations: { "cluster.x-k8s.io/managed-by": "kamaji" } }),
    controlPlane(input, address),
  ];
}
