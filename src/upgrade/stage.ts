/**
 * Where controllers act for a rehearsal or an upgrade, and what they are told there.
 */
import type { Client } from "../kube/client.ts";
import type { App } from "../sdk/app.ts";
import type { Recorder } from "./effects/recorder.ts";

/** Whoever plays there does so until the signal is aborted. */
export interface Stage {
  readonly client: Client;
  readonly apps: readonly App[];
  /** Told what controllers do. */
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
}

export interface Playing {
  /** Resolves when all has ended after an abort; rejects with what ended it before. */
  readonly ended: Promise<void>;
}
