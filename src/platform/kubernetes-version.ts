/**
 * The oldest Kubernetes that the platform works on: it needs rules that forgive what was stored before them, which 1.33 has for
 * good, and watches that begin with what there is.
 */
import type { Client } from "../kube/client.ts";
import { CozystackError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";

/** The minor version. */
export const oldestKubernetes = 33;

/** A cluster that would accept the installation and then not do what it needs. */
export class KubernetesTooOldError extends CozystackError {
  constructor(version: string) {
    super(
      "KubernetesTooOld",
      `the cluster runs Kubernetes ${version}, and the platform needs 1.${oldestKubernetes} or newer`,
      `Upgrade the cluster to 1.${oldestKubernetes} or newer first, one minor version at a time.`,
    );
  }
}

/** @throws KubernetesTooOldError; nothing for a version that cannot be read, as of a build of one's own */
export async function requireKubernetes(client: Client): Promise<void> {
  const version = String(valueAt(await client.raw("GET", "/version"), "gitVersion"));
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return;
  if (Number(major) === 1 && Number(minor) < oldestKubernetes) throw new KubernetesTooOldError(version);
}
