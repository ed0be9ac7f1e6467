/**
 * One life of the controller: from a start with empty hands to its end.
 */
import { connect } from "../../src/kube/connect.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import type { ContextSource } from "../../src/reconcile/context.ts";
import { startController } from "../../src/reconcile/controller.ts";
import { testContext } from "../support/synthetic-app.ts";
import type { Interference } from "./faults.ts";
import type { Scenario } from "./scenario.ts";

export interface LifeOptions {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly scenario: Scenario;
}

export interface Progress {
  readonly writes: number;
  /** It has seen everything, and nothing waits or is under way. */
  readonly idle: boolean;
}

export interface Life {
  progress(): Progress;
  end(): Promise<void>;
}

/** Begins a life in this process. */
export async function begin(options: LifeOptions, harm?: Interference): Promise<Life> {
  const access = await loadKubeconfig(options.kubeconfig);
  const client = connect({ ...access, fieldManager: "cozystack", ...harm });
  const abort = new AbortController();
  const controller = startController(
    {
      client,
      apps: options.scenario.apps,
      context: contextFor(options.namespace),
      scope: (namespace) => namespace === options.namespace || namespace.startsWith(`${options.namespace}-`),
      backoff: { base: 20, cap: 200, gap: 10 },
      pruneSettle: 100,
    },
    abort.signal,
  );
  return {
    progress: () => ({
      writes: client.counters.writes(),
      idle: controller.hasSynced && controller.waiting === 0 && controller.working === 0,
    }),
    async end() {
      abort.abort();
      await client.close();
      await controller.ended;
    },
  };
}

/** The root of the run is a child of tenant-root, what begins with its name a child of it. */
function contextFor(root: string): ContextSource {
  const cluster = { "root-host": "example.org", "cluster-domain": "cozy.local", "oidc-enabled": "false" };
  return {
    contextOf: (namespace) => {
      const ancestors = namespace === root ? ["tenant-root"] : ["tenant-root", root];
      const context = { ...testContext, cluster, tenant: { namespace, ancestors } };
      return Promise.resolve({ is: "known", context } as const);
    },
    onChange: () => () => undefined,
  };
}
