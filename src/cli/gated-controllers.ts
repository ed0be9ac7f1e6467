/**
 * The controllers behind the gate of an upgrade: they see only what is released to their version, and start anew whenever that
 * changes, so that everything released since is looked at. Nothing acts before the gate is known.
 */
import { UpgradeRun } from "../contracts/internal-cozystack-io.ts";
import { openStores } from "../kube/stores.ts";
import { tenantOf } from "../upgrade/effects/recorder.ts";
import { gateOf, runPlace, runSpecOf } from "../upgrade/gate.ts";
import { type ControllersOptions, runControllers } from "./controllers.ts";

export interface GatedOptions extends Omit<ControllersOptions, "scope"> {
  /** Of this program. */
  readonly version: string;
}

/** Runs until the signal is aborted. Rejects with the first controller's failure. */
export async function runGatedControllers(options: GatedOptions): Promise<void> {
  const { client, world, signal, version } = options;
  const stores = openStores({ client, signal, world });
  const { namespace, name } = runPlace;
  const { store } = stores.use(UpgradeRun, { namespace, fieldSelector: `metadata.name=${name}` });
  // Fails closed: while nobody knows whether an upgrade is under way, this waits.
  await store.ready(signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  while (!signal.aborted) {
    const run = store.get(name, namespace);
    const gate = gateOf(run, version);
    const term = new AbortController();
    const said = gateText(run);
    const leave = store.subscribe(() => {
      if (gateText(store.get(name, namespace)) !== said) term.abort();
    });
    const until = AbortSignal.any([signal, term.signal]);
    try {
      // The platform goes first, and some of it is of no namespace.
      await (gate(runPlace.namespace)
        ? runControllers({
            ...options,
            signal: until,
            scope: (place, instance) => gate(instance === undefined ? place : tenantOf(instance)),
          })
        : aborted(until));
    } finally {
      leave();
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** All of the object that the gate goes by. */
function gateText(run: Parameters<typeof gateOf>[0]): string {
  if (run === undefined) return "";
  const { to, from, phase, waves = [] } = runSpecOf(run) ?? {};
  return JSON.stringify([to, from, phase, waves.map(({ name, tenants, phase: of }) => [name, tenants, of])]);
}
