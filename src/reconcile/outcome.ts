/**
 * What carrying out a plan takes, and what each step of it comes to.
 */
import type { Client } from "../kube/client.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Fights } from "./fights.ts";
import type { InventoryEntry, InventoryRecord } from "./inventory-record.ts";
import type { Step } from "./plan-types.ts";
import type { ObjectProblem } from "./problem.ts";
import type { KindLookup, View } from "./view.ts";

export interface ApplyOptions {
  readonly client: Client;
  readonly view: View;
  readonly kindOf: KindLookup;
  readonly fights: Fights;
  readonly inventory: InventoryRecord;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Whether an object that is no longer rendered may go already (prune.ts). */
  readonly mayPrune: (step: Step) => Promise<boolean>;
  /** Writes of one instance at a time. Default 4. */
  readonly concurrency?: number;
}

/** What one step came to. */
export interface Outcome {
  readonly step: Step;
  /** What the inventory says of the object from now on; absent when it says nothing new. */
  readonly entry?: InventoryEntry;
  /** The object is no longer ours, or was gone. */
  readonly dropped?: boolean;
  /** The API server's answer. */
  readonly object?: KubeObject;
  readonly problem?: ObjectProblem;
  /** The world is not as the plan thought: plan again. */
  readonly again?: boolean;
  /** Not done yet, and to be looked at again on an event or later. */
  readonly held?: boolean;
}
