/**
 * The token by which machines join: it must be in the cluster itself, so a Job puts it there, once for each token.
 */
import { Job } from "../../contracts/batch.ts";
import { ServiceAccount } from "../../contracts/core.ts";
import { contentHash } from "../../sdk/hash.ts";
import { type Rendered, runOnce } from "../../sdk/manifest.ts";
import { type AllTalosSecrets, talosSecretName } from "../../sdk/node-pool/talos-secrets.ts";
import { kubeconfigFile, marked } from "./names.ts";
import { confined, kubeconfigMount, kubeconfigVolume, waitForKubeconfig } from "./pods.ts";
import { untilReady } from "./scripts.ts";
import type { Input } from "./spec.ts";
import { images } from "./versions.ts";

const description = "Talos worker bootstrap token, managed by cozystack kubernetes chart";

const discovery = "talos:node-apiserver-endpoint-discovery";
const rbac = "rbac.authorization.k8s.io";

/** Machines look up by them where the API server is. */
const access = {
  apiVersion: "v1",
  kind: "List",
  items: [
    {
      apiVersion: `${rbac}/v1`,
      kind: "Role",
      metadata: { name: discovery, namespace: "default" },
      rules: [
        { apiGroups: [""], resources: ["endpoints"], verbs: ["get", "list", "watch"] },
        { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["get", "list", "watch"] },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: "RoleBinding",
      metadata: { name: discovery, namespace: "default" },
      roleRef: { apiGroup: rbac, kind: "Role", name: discovery },
      subjects: [{ apiGroup: rbac, kind: "Group", name: "system:nodes" }],
    },
  ],
};

/** No text of it comes from a user; the token comes by variables, which the shell does not read again. */
const script = `${untilReady}
kubectl create secret generic "bootstrap-token-$TOKEN_ID" --namespace=kube-system \\
  --type=bootstrap.kubernetes.io/token \\
  --from-literal=token-id="$TOKEN_ID" --from-literal=token-secret="$TOKEN_SECRET" \\
  --from-literal=description='${description}' \\
  --from-literal=usage-bootstrap-authentication=true --from-literal=usage-bootstrap-signing=true \\
  --from-literal=auth-extra-groups=system:bootstrappers:kubeadm:default-node-token \\
  --dry-run=client --output=json |
  kubectl apply --server-side --force-conflicts --field-manager=cozystack --filename=-
printf '%s' '${JSON.stringify(access)}' |
  kubectl apply --server-side --force-conflicts --field-manager=cozystack --filename=-
# Tokens of before, and what let machines look up the same in every namespace.
found=$(kubectl get secrets --namespace=kube-system --field-selector=type=bootstrap.kubernetes.io/token \\
  --output='jsonpath={range .items[*]}{.metadata.name}{" "}{.data.description}{"\\n"}{end}')
printf '%s\\n' "$found" | while read -r name said; do
  [ "$said" = '${Buffer.from(description).toString("base64")}' ] || continue
  [ "$name" != "bootstrap-token-$TOKEN_ID" ] || continue
  kubectl delete secret "$name" --namespace=kube-system --ignore-not-found
done
kubectl delete clusterrolebinding ${discovery} --ignore-not-found
kubectl delete clusterrole ${discovery} --ignore-not-found
`;

/** At most 63 characters, whatever the cluster's name. */
const longestPrefix = 56;

/** Objects `<release>-bootstrap-token-tenant`. */
export function bootstrapToken(input: Input, secrets: AllTalosSecrets): readonly Rendered[] {
  const { release, spec } = input;
  const name = `${release}-bootstrap-token-tenant`;
  const own = marked(input);
  const fromSecret = (variable: string, key: string) => ({
    name: variable,
    valueFrom: { secretKeyRef: { name: talosSecretName(release), key } },
  });
  const job = {
    backoffLimit: 10,
    ttlSecondsAfterFinished: 600,
    template: {
      spec: {
        serviceAccountName: name,
        automountServiceAccountToken: false,
        restartPolicy: "OnFailure" as const,
        initContainers: [waitForKubeconfig(input)],
        containers: [
          {
            name: "kubectl",
            image: spec.images.kubectl || images.kubectl,
            command: ["sh", "-ec", script],
            env: [
              { name: "KUBECONFIG", value: kubeconfigFile },
              fromSecret("TOKEN_ID", "bootstrapTokenId"),
              fromSecret("TOKEN_SECRET", "bootstrapTokenSecret"),
            ],
            resources: { requests: { cpu: "10m", memory: "64Mi" }, limits: { cpu: "100m", memory: "256Mi" } },
            securityContext: confined,
            volumeMounts: [kubeconfigMount],
          },
        ],
        volumes: [kubeconfigVolume(release)],
      },
    },
  };
  const content = JSON.stringify([job, secrets.bootstrapToken]);
  const prefix = name.slice(0, longestPrefix).replace(/-+$/, "");
  return [
    ServiceAccount(name, own),
    runOnce(Job(`${prefix}-${contentHash(secrets.clusterSecret, content, 6)}`, { ...own, spec: job })),
  ];
}
