/**
 * Acting as the controllers: one process at a time, the one that holds their lease.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { fenced, whileLeading } from "../kube/leader.ts";
import { systemWorld } from "../kube/world.ts";
import { type GatedOptions, runGatedControllers } from "./gated-controllers.ts";
import { problemLine } from "./problems.ts";

/** The lease of those who may act as the controllers. */
export const controllerLease = { namespace: "cozy-system", name: "cozystack-controller" } as const;

/** A name for this life of this process. */
export const ownIdentity = (): string => `${hostname()}_${process.pid}_${randomUUID().slice(0, 8)}`;

export interface LeadOptions extends Omit<GatedOptions, "world" | "mayAct"> {
  /** Of this process, for the lease. */
  readonly identity: string;
  readonly leaseSeconds: number;
  /** Called whenever it begins to lead. */
  readonly onLead: () => void;
  /** What else runs while it leads. */
  readonly beside?: (signal: AbortSignal) => Promise<void>;
}

/** Runs the controllers behind the gate whenever this process holds their lease, until the signal is aborted. */
export function leadControllers(options: LeadOptions): Promise<void> {
  const { identity, leaseSeconds, onLead, beside, ...controllers } = options;
  const { client, version, signal, log } = controllers;
  const lease = {
    ...controllerLease,
    client,
    world: systemWorld,
    version,
    identity,
    durationSeconds: leaseSeconds,
    onError: (error: unknown) => log(`lease: ${problemLine(error)}`),
  };
  return whileLeading(lease, signal, async (leadership) => {
    onLead();
    const held = () => leadership.lease.held();
    const run = runGatedControllers({
      ...controllers,
      client: fenced(client, controllerLease.name, held),
      world: systemWorld,
      signal: leadership.signal,
      mayAct: held,
    });
    await Promise.all([run, beside?.(leadership.signal)]);
  });
}
