/**
 * Who may use the cluster: bindings in the cluster itself, which a Job makes, once for each list of users.
 */
import { Job } from "../../contracts/batch.ts";
import { ConfigMap } from "../../contracts/core.ts";
import { sha256hex } from "../../sdk/hash.ts";
import { type Rendered, runOnce } from "../../sdk/manifest.ts";
import { dataStore, kubeconfigFile, labelsOf, marked } from "./names.ts";
import { allowToApiServer, confined, kubeconfigMount, kubeconfigVolume, waitForKubeconfig } from "./pods.ts";
import { untilReady } from "./scripts.ts";
import type { Input } from "./spec.ts";
import { images } from "./versions.ts";

const rbac = "rbac.authorization.k8s.io";

const folder = "/etc/users";

/** The binding's name says whose it is: another list of users has the same for those that stay. */
const nameOf = (release: string, email: string): string =>
  `cozystack-oidc-${sha256hex(`${release}-${email}`).slice(0, 16)}`;

function bindings({ release, spec }: Input) {
  const labels = { "app.kubernetes.io/managed-by": "cozystack-oidc", "app.kubernetes.io/instance": release };
  const items = spec.oidc.users.map(({ email, role }) => ({
    apiVersion: `${rbac}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: nameOf(release, email), labels },
    roleRef: { apiGroup: rbac, kind: "ClusterRole", name: role === "admin" ? "cluster-admin" : "view" },
    subjects: [{ apiGroup: rbac, kind: "User", name: email }],
  }));
  const selector = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return { list: { apiVersion: "v1", kind: "List", items }, selector: selector.join(",") };
}

/** Texts of users are in files alone. `auth reconcile` makes a binding anew where its role changes, which cannot be edited. */
const script = `${untilReady}
found=$(kubectl get clusterrolebindings --selector="$SELECTOR" --output=name)
for name in $found; do
  grep -qxF "\${name#*/}" ${folder}/names || kubectl delete "$name" --ignore-not-found
done
[ ! -s ${folder}/names ] || kubectl auth reconcile --filename=${folder}/bindings.json
`;

/** At most 63 characters, whatever the cluster's name. */
const longestPrefix = 56;

export function users(input: Input): readonly Rendered[] {
  const { release, spec } = input;
  if (dataStore(input) === "") return [];
  const name = `${release}-oidc-users`;
  const { list, selector } = bindings(input);
  const names = list.items.map(({ metadata }) => `${metadata.name}\n`).join("");
  const data = { "bindings.json": JSON.stringify(list), names };
  const own = marked(input);
  const { "app.kubernetes.io/name": chart, "app.kubernetes.io/instance": instance } = labelsOf(input);
  const job = {
    backoffLimit: 10,
    ttlSecondsAfterFinished: 600,
    template: {
      metadata: {
        labels: { "app.kubernetes.io/name": chart, "app.kubernetes.io/instance": instance, ...allowToApiServer },
      },
      spec: {
        automountServiceAccountToken: false,
        restartPolicy: "OnFailure" as const,
        initContainers: [waitForKubeconfig(input)],
        containers: [
          {
            name: "users",
            image: spec.images.kubectl || images.kubectl,
            command: ["sh", "-ec", script],
            env: [
              { name: "HOME", value: "/tmp" },
              { name: "KUBECONFIG", value: kubeconfigFile },
              { name: "SELECTOR", value: selector },
            ],
            resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "200m", memory: "256Mi" } },
            securityContext: confined,
            volumeMounts: [
              kubeconfigMount,
              { name: "users", mountPath: folder, readOnly: true },
              { name: "tmp", mountPath: "/tmp" },
            ],
          },
        ],
        volumes: [kubeconfigVolume(release), { name: "users", configMap: { name } }, { name: "tmp", emptyDir: {} }],
      },
    },
  };
  const content = sha256hex(JSON.stringify([job, data])).slice(0, 6);
  return [
    ConfigMap(name, { ...own, data }),
    runOnce(Job(`${name.slice(0, longestPrefix).replace(/-+$/, "")}-${content}`, { ...own, spec: job })),
  ];
}
