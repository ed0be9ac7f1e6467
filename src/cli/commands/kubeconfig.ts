/**
 * `kubeconfig`: the way into a tenant's cluster.
 */
import type { Command } from "commander";
import { kubernetes } from "../../apps/kubernetes/index.ts";
import { externalKubeconfigKey, kubeconfigSecret } from "../../apps/kubernetes/names.ts";
import { oidcKubeconfigKey, oidcKubeconfigSecret } from "../../apps/kubernetes/oidc.ts";
import { Secret } from "../../contracts/core.ts";
import { CozystackError } from "../../kube/errors.ts";
import { valueAt } from "../../kube/json.ts";
import { secretText } from "../../kube/secret-text.ts";
import { applicationNamed } from "../applications.ts";
import { onCluster } from "../cluster.ts";
import { exitCodes } from "../exit.ts";
import { type CommonFlags, does, withExamples, withNamespace } from "../flags.ts";

interface KubeconfigFlags extends CommonFlags {
  readonly sso?: boolean;
}

/** The cluster exists, and there is no way into it that it could show. */
class NoKubeconfigError extends CozystackError {
  constructor(place: string, why: string, remedy: string) {
    super("NoKubeconfig", `Kubernetes ${place}: ${why}`, remedy);
  }
}

/** Adds the command. */
export function kubeconfig(root: Command): void {
  const command = withNamespace(root.command("kubeconfig"))
    .summary("print the kubeconfig of a tenant's Kubernetes cluster")
    .description(
      "Prints the kubeconfig of a Kubernetes cluster that a tenant ordered: the administrator's, which is a secret, or one with which each person logs in by single sign-on.",
    )
    .argument("<name>", "name of the Kubernetes")
    .option("--sso", "the one for single sign-on: no secret, for clusters with oidc.mode System");
  withExamples(
    command,
    "cozystack kubeconfig dev -n tenant-demo > dev.kubeconfig && kubectl --kubeconfig dev.kubeconfig get nodes",
    "cozystack kubeconfig dev -n tenant-demo --sso    # to hand to people",
  );
  does<KubeconfigFlags>(command, ([name = ""], flags, terminal) =>
    onCluster(flags, async ({ client, namespace: usual }) => {
      const namespace = flags.namespace ?? usual;
      const place = `${namespace}/${name}`;
      const object = await applicationNamed(client, kubernetes, name, namespace);
      const release = `${kubernetes.release}${name}`;
      if (flags.sso === true && valueAt(object, "spec", "oidc", "mode") !== "System") {
        const remedy = "Set spec.oidc.mode to System, or take the administrator's kubeconfig, without --sso.";
        throw new NoKubeconfigError(place, "has no single sign-on of the platform", remedy);
      }
      const [secret, key] =
        flags.sso === true
          ? [oidcKubeconfigSecret(release), oidcKubeconfigKey]
          : [kubeconfigSecret(release), externalKubeconfigKey];
      const text = secretText(await client.get(Secret, secret, namespace), key);
      // Before its authority is known, the one for single sign-on is a comment.
      if (text.replaceAll(/^#.*$/gm, "").trim() === "") {
        const remedy = `Wait for it: \`cozystack why kubernetes ${name} -n ${namespace}\` says what for.`;
        throw new NoKubeconfigError(place, `Secret ${secret} has no kubeconfig yet`, remedy);
      }
      terminal.result({ kubeconfig: text }, [secret], () => text);
      return exitCodes.ok;
    }),
  );
}
