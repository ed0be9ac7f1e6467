/**
 * Tenants beside their reconcile path: the context their namespaces give, and what is kept true about them.
 */
import type { Client } from "../kube/client.ts";
import type { Stores } from "../kube/stores.ts";
import type { World } from "../kube/world.ts";
import type { ContextSource } from "../reconcile/context.ts";
import type { App } from "../sdk/app.ts";
import type { AppSource } from "../sdk/app-source.ts";
import { runExternalIps } from "./external-ips.ts";
import { runProjections } from "./projection/controller.ts";
import type { RefusalSource } from "./quota/refusal-source.ts";
import { runQuotas } from "./quota/run.ts";
import { runSignOn } from "./sign-on/controller.ts";
import { runWildcardCopies } from "./wildcard/controller.ts";

export { contextSource } from "./context-source.ts";
export { Refusals } from "./quota/refusal-source.ts";
export { quotaSources } from "./quota/run.ts";
export { signOnSources } from "./sign-on/controller.ts";

export interface TenancyOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  readonly contexts: ContextSource;
  /** Which namespaces are looked after. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  /** See QuotaOptions. */
  readonly refusals?: RefusalSource;
  /** See SignOnOptions. */
  readonly grafanaAt?: (namespace: string) => string;
  /** Default: all applications. */
  readonly apps?: readonly App[] | AppSource;
  /** Told what could not be done and will be tried again; `what` is the controller and the key. */
  readonly onError?: (what: string, error: unknown) => void;
}

/** Runs the controllers of this room until the signal is aborted. */
export async function runTenancy(options: TenancyOptions, signal: AbortSignal): Promise<void> {
  const { onError = () => undefined, ...common } = options;
  const told = (controller: string) => ({
    onError: (key: string, error: unknown) => onError(`${controller} ${key}`, error),
  });
  await Promise.all([
    runProjections({ ...common, ...told("projection") }, signal),
    runExternalIps({ ...common, ...told("external addresses") }, signal),
    runWildcardCopies({ ...common, ...told("wildcard certificate") }, signal),
    runQuotas({ ...common, onError }, signal),
    runSignOn({ ...common, ...told("sign-on") }, signal),
  ]);
}
