/**
 * Which cluster a command works on: the one given by flags, else the embedded engine when it runs, else the kubeconfig
 * that kubectl would use.
 */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { defaultDataDirectory, runningEngine } from "../../embedded/engine.ts";
import { ROOT } from "../apps/tenant/place.ts";
import type { Client } from "../kube/client.ts";
import { connect } from "../kube/connect.ts";
import { type ApiError, CozystackError, isApiError } from "../kube/errors.ts";
import { loadKubeconfig } from "../kube/kubeconfig.ts";

export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  /** Data directory of the embedded engine. */
  readonly dataDir?: string;
}

/** A cluster and the way to it. */
export interface Target {
  readonly client: Client;
  /** Where it is, for people. */
  readonly description: string;
  /** Files, as the variable KUBECONFIG lists them. */
  readonly kubeconfig: string;
  readonly context?: string;
  readonly embedded: boolean;
  /** Namespace of what says none: the context's, else that of the root tenant. */
  readonly namespace: string;
}

export class NoClusterError extends CozystackError {
  constructor(dataDir: string, and: string) {
    super(
      "NoCluster",
      `no control plane runs on ${dataDir}, ${and}`,
      "Start one with `cozystack up`, or name a cluster with --kubeconfig and --context.",
    );
  }
}

/** The embedded control plane was asked for and is not up yet. */
class NoClusterYetError extends CozystackError {
  constructor(dataDir: string, pid: number) {
    super(
      "NoClusterYet",
      `process ${pid} is still starting the control plane on ${dataDir}`,
      "Wait until it says that the platform is up, or end it with `cozystack down`.",
    );
  }
}

/** Field manager of what the controllers and the installation write. */
export const controllerManager = "cozystack";
/** Field manager of what people write through the command line. */
export const peopleManager = "cozystack-cli";

export function dataDirectoryOf(flags: ClusterFlags): string {
  return resolve(flags.dataDir ?? defaultDataDirectory(process.env));
}

/** Whether flags name a cluster, so that no embedded engine is meant. */
export function isGiven(flags: ClusterFlags): boolean {
  return flags.kubeconfig !== undefined || flags.context !== undefined;
}

function usualKubeconfig(): string {
  return process.env["KUBECONFIG"] || join(homedir(), ".kube", "config");
}

function placeOf(flags: ClusterFlags): Pick<Target, "kubeconfig" | "context" | "embedded"> {
  const context = flags.context === undefined ? {} : { context: flags.context };
  if (isGiven(flags)) return { kubeconfig: flags.kubeconfig ?? usualKubeconfig(), ...context, embedded: false };
  const dataDir = dataDirectoryOf(flags);
  const engine = runningEngine(dataDir);
  if (engine?.kubeconfigPath !== undefined) return { kubeconfig: engine.kubeconfigPath, embedded: true };
  // Not the usual kubeconfig instead: the same command would work on another cluster a minute later.
  if (engine !== undefined) throw new NoClusterYetError(dataDir, engine.pid);
  const kubeconfig = usualKubeconfig();
  const files = kubeconfig.split(delimiter).filter((file) => existsSync(file));
  if (files.length === 0) throw new NoClusterError(dataDir, "and no kubeconfig was found");
  // The one that `up` told people to export, of an engine that has ended: its address leads nowhere, or to somebody else.
  const own = join(dataDir, "kubeconfig");
  if (files.every((file) => resolve(file) === own))
    throw new NoClusterError(dataDir, "and KUBECONFIG names only its own");
  return { kubeconfig, embedded: false };
}

/**
 * Opens the cluster that flags and surroundings say; the caller closes its client.
 * @throws NoClusterError, NoClusterYetError, KubeconfigError
 */
export function openTarget(flags: ClusterFlags, fieldManager: string = peopleManager): Target {
  const place = placeOf(flags);
  const files = place.kubeconfig.split(delimiter).filter((file) => file !== "");
  const access = loadKubeconfig(files, place.context);
  return {
    ...place,
    client: connect({ ...access, fieldManager, userAgent: "cozystack" }),
    description: place.embedded ? `the embedded control plane at ${access.server}` : access.server,
    namespace: access.namespace ?? ROOT,
  };
}

/** A cluster that gives no answer. */
class ClusterUnreachableError extends CozystackError {
  constructor({ description, kubeconfig }: Target, error: ApiError) {
    const why = error.message.replace(/^.*?: /, "");
    super(
      "Network",
      `${description} gives no answer: ${why}`,
      `Check the address in ${kubeconfig}, and that the cluster runs. \`cozystack up\` starts one on this machine.`,
      { cause: error },
    );
  }
}

/** An error met on a cluster; one of the network says which cluster it is. */
export function reached(error: unknown, target: Target): unknown {
  return isApiError(error, "Network") ? new ClusterUnreachableError(target, error) : error;
}

/** Opens the cluster for `work` and closes it afterwards. */
export async function onCluster<T>(
  flags: ClusterFlags,
  work: (target: Target) => Promise<T>,
  fieldManager?: string,
): Promise<T> {
  const target = openTarget(flags, fieldManager);
  try {
    return await work(target);
  } catch (error) {
    throw reached(error, target);
  } finally {
    await target.client.close();
  }
}
