/**
 * The controllers of a process, together: applications, tenants, the platform's own objects. The command line runs them in
 * the foreground; in a cluster a Deployment runs the same.
 */

import { BUFFER_VALUE } from "../apps/tenant/quota.ts";
import { ApplicationDefinition } from "../contracts/application-definition.ts";
import { CiliumNetworkPolicy } from "../contracts/cilium-io.ts";
import { Workload, WorkloadMonitor } from "../contracts/cozystack-io.ts";
import { TenantProjection } from "../contracts/internal-cozystack-io.ts";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import type { Client } from "../kube/client.ts";
import type { AnyKind, KubeObject, ObjectRef } from "../kube/object.ts";
import { openStores } from "../kube/stores.ts";
import type { World } from "../kube/world.ts";
import { runSecurityGroups } from "../network/controller.ts";
import { gatewaySources, runGateways } from "../network/gateway/controller.ts";
import { runBaseController } from "../platform/base-controller.ts";
import { clusterValuesOf } from "../platform/cluster-values.ts";
import { runExternalApplications } from "../platform/external/controller.ts";
import { followDefinitions } from "../platform/external/definitions.ts";
import { runValuesCopies } from "../platform/values-copies.ts";
import type { Change } from "../reconcile/change.ts";
import { controllerTrim, startController } from "../reconcile/controller.ts";
import { nameOf } from "../reconcile/problem.ts";
import type { InstanceState } from "../reconcile/state.ts";
import { startWorkloads } from "../reconcile/workloads/controller.ts";
import { workloadTrim } from "../reconcile/workloads/trim.ts";
import { SOURCES } from "../reconcile/workloads/workload.ts";
import type { App } from "../sdk/app.ts";
import type { ClusterValues } from "../sdk/context.ts";
import { contextSource, quotaSources, Refusals, runTenancy, signOnSources } from "../tenancy/index.ts";
import { runLineage } from "../tenancy/lineage/controller.ts";
import { failureLog } from "./failure-log.ts";
import { version } from "./version.ts";

export interface ControllersOptions {
  /** Its field manager owns everything applied. Fenced by the caller where several processes may run. */
  readonly client: Client;
  readonly world: World;
  readonly signal: AbortSignal;
  readonly apps: readonly App[];
  /** Told what went wrong and is tried again, one line a call. */
  readonly log: (line: string) => void;
  /** Which namespaces, and which applications in them, are worked on. Default: all. */
  readonly scope?: (namespace: string, instance?: ObjectRef) => boolean;
  /** Whether they may act now, as while the lease is held. Default: always. */
  readonly mayAct?: () => boolean;
  /** Where the Grafana of a namespace is reached. Default: its Service, by its name in the cluster. */
  readonly grafanaAt?: (namespace: string) => string;
  /** Percent of each tenant's budget that may be used at run time. Default: what the platform's configuration says. */
  readonly quotaBufferPercent?: number;
  /** See ControllerOptions of the applications' controller. */
  readonly pruneSettle?: number;
  readonly onPass?: (instance: ObjectRef, state: InstanceState) => void;
  readonly onWritten?: (instance: ObjectRef, changes: readonly Change[]) => void;
}

/** What a flag says about the buffer goes before the platform's configuration. */
function withBuffer(values: ClusterValues, percent: number | undefined): ClusterValues {
  return percent === undefined ? values : { ...values, [BUFFER_VALUE]: String(percent) };
}

/** What the stores that all controllers share keep of an object: as much as any of them reads. */
function sharedTrim(apps: readonly App[]): <T extends KubeObject>(object: T) => T {
  const read = [
    ...SOURCES.map(({ kind }) => kind),
    ApplicationDefinition,
    Workload,
    WorkloadMonitor,
    TenantProjection,
    ...quotaSources,
    ...signOnSources,
    ...gatewaySources,
  ];
  const ours = controllerTrim(apps, [...read, SecurityGroup, CiliumNetworkPolicy]);
  return (object) => workloadTrim(ours(object));
}

/** Runs until the signal is aborted. Rejects with the first controller's failure, after all have ended. */
export async function runControllers(options: ControllersOptions): Promise<void> {
  const { client, world, apps, log, scope, mayAct } = options;
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const failures = failureLog(world, log);
  const told = (what: string, error: unknown) => {
    if (!signal.aborted) failures(what, error);
  };
  const common = {
    client,
    signal,
    world,
    onError: (kind: AnyKind, error: unknown) => told(`store of ${kind.kind}`, error),
  };
  const stores = openStores({ ...common, trim: sharedTrim(apps) });
  const served = followDefinitions(stores, apps);
  const contexts = contextSource({
    // It reads ConfigMaps whole, one at a time, of which the others keep as little as they can.
    stores: openStores(common),
    chartVersion: version,
    clusterValues: (inputs) => withBuffer(clusterValuesOf(inputs), options.quotaBufferPercent),
    onError: (error) => told("platform values", error),
  });
  const refusals = new Refusals();
  const grafana = options.grafanaAt === undefined ? {} : { grafanaAt: options.grafanaAt };
  const acting = { ...(scope === undefined ? {} : { scope }), ...(mayAct === undefined ? {} : { mayAct }) };
  const controller = startController(
    {
      client,
      apps: served,
      world,
      stores,
      context: contexts,
      onError: told,
      onPass: (instance, state) => {
        options.onPass?.(instance, state);
        if (state.is !== "refused") return;
        for (const { object, message } of state.problems) refusals.tell(object.namespace ?? "", message);
      },
      ...(options.onWritten === undefined ? {} : { onWritten: options.onWritten }),
      ...(options.pruneSettle === undefined ? {} : { pruneSettle: options.pruneSettle }),
      onAbandoned: (instance, objects) =>
        log(`${nameOf(instance)}: deleted by force, left behind: ${objects.map(nameOf).join(", ")}`),
      ...acting,
    },
    signal,
  );
  const workloads = startWorkloads({ client, world, stores, onError: told, ...acting }, signal);
  const all = [
    controller.ended,
    workloads.ended,
    runTenancy(
      { client, stores, world, contexts, apps: served, refusals, onError: told, ...acting, ...grafana },
      signal,
    ),
    runLineage({ client, stores, world, contexts, apps: served, onError: told, ...acting }, signal),
    runSecurityGroups({ client, stores, world, apps: served, onError: told, ...acting }, signal),
    runGateways({ client, stores, world, onError: told, ...acting }, signal),
    runExternalApplications(
      {
        client,
        stores,
        world,
        definitions: served,
        onError: (what, error) => told(`definition ${what}`, error),
        ...acting,
      },
      signal,
    ),
    runValuesCopies(
      { client, stores, world, onError: (what, error) => told(`values ${what}`, error), ...acting },
      signal,
    ),
    runBaseController({ client, stores, world, contexts, onError: (error) => told("platform", error) }, signal),
  ].map((running) =>
    running.catch((error: unknown) => {
      if (signal.aborted) return;
      failed.abort(error);
    }),
  );
  await Promise.all(all);
  if (failed.signal.aborted) throw failed.signal.reason;
}
