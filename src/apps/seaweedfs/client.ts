/** Topology Client: nothing but the driver, which makes buckets in another cluster's object store. */
import { Deployment } from "../../contracts/apps.ts";
import { Secret, ServiceAccount } from "../../contracts/core.ts";
import type { Container } from "../../contracts/pod.ts";
import { ClusterRole, ClusterRoleBinding } from "../../contracts/rbac.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { required } from "../../sdk/needs.ts";
import { roleRef, serviceAccount } from "../../sdk/rbac.ts";
import { bucketClasses, driverName, driverResources } from "./classes.ts";
import { s3Host } from "./host.ts";
import { chartName } from "./naming.ts";
import type { Input } from "./spec.ts";
import { driverImage, sidecarImage } from "./versions.ts";

/** Certificate and key by which the other cluster's filers know the client. Its user brings it. */
const certificate = `${chartName}-client-cert`;
const certificatePath = "/usr/local/share/ca-certificates/client/";

export const certificateNeed = () => required(Secret, certificate);

const component = "objectstorage-provisioner";

const buckets = ["buckets", "bucketaccesses", "bucketclaims", "bucketclasses", "bucketclasses/status"];
const states = ["bucketaccessclasses", ...["buckets", "bucketaccesses", "bucketclaims"].map((of) => `${of}/status`)];

const rules = [
  {
    apiGroups: ["objectstorage.k8s.io"],
    resources: [...buckets, ...states, "bucketaccessclasses/status"],
    verbs: ["get", "list", "watch", "update", "create", "delete"],
  },
  {
    apiGroups: ["coordination.k8s.io"],
    resources: ["leases"],
    verbs: ["get", "watch", "list", "delete", "update", "create"],
  },
  {
    apiGroups: [""],
    resources: ["secrets", "events"],
    verbs: ["get", "list", "watch", "update", "create", "delete", "patch"],
  },
];

const socket = { name: "socket", mountPath: "/var/lib/cosi" };

function containers(input: Input): readonly Container[] {
  const { namespace, spec } = input;
  const { grpcHost, grpcPort } = spec.filer;
  const env = {
    DRIVERNAME: driverName(namespace),
    ENDPOINT: `https://${s3Host(input)}`,
    SEAWEEDFS_FILER: `${grpcHost}:${grpcPort}`,
    WEED_GRPC_CLIENT_KEY: `${certificatePath}tls.key`,
    WEED_GRPC_CLIENT_CERT: `${certificatePath}tls.crt`,
    WEED_GRPC_CA: `${certificatePath}ca.crt`,
  };
  return [
    {
      name: "seaweedfs-cosi-driver",
      image: driverImage,
      imagePullPolicy: "IfNotPresent",
      env: Object.entries(env).map(([name, value]) => ({ name, value })),
      resources: driverResources,
      volumeMounts: [socket, { name: "client-cert", mountPath: certificatePath, readOnly: true }],
    },
    {
      name: "seaweedfs-cosi-sidecar",
      image: sidecarImage,
      imagePullPolicy: "IfNotPresent",
      args: ["--v=5"],
      env: [{ name: "POD_NAMESPACE", value: namespace }],
      volumeMounts: [socket],
    },
  ];
}

function driver(input: Input, name: string): Rendered {
  const { namespace, release } = input;
  const labels = {
    "app.kubernetes.io/component": component,
    "app.kubernetes.io/instance": chartName,
    "app.kubernetes.io/name": release,
  };
  return Deployment(name, {
    namespace,
    labels,
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
      template: {
        metadata: { labels: { ...labels, "policy.cozystack.io/allow-to-apiserver": "true" } },
        spec: {
          containers: containers(input),
          serviceAccountName: name,
          enableServiceLinks: false,
          restartPolicy: "Always",
          terminationGracePeriodSeconds: 10,
          volumes: [
            { name: "socket", emptyDir: {} },
            { name: "client-cert", secret: { secretName: certificate, defaultMode: 420 } },
          ],
        },
      },
    },
  });
}

export function client(input: Input): readonly Rendered[] {
  const { namespace, release } = input;
  const name = `${release}-${component}`;
  const role = `${namespace}-${component}`;
  return [
    driver(input, name),
    ServiceAccount(name, { namespace, automountServiceAccountToken: true }),
    ClusterRole(role, { rules }),
    ClusterRoleBinding(role, { roleRef: roleRef(role, "ClusterRole"), subjects: [serviceAccount(name, namespace)] }),
    ...bucketClasses(namespace),
  ];
}
