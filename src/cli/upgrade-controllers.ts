/**
 * The controllers of an upgrade: this process takes the controllers' lease, as any other that runs them would, and has them act
 * behind the gate.
 */
import type { Client } from "../kube/client.ts";
import { Lease } from "../kube/core-kinds.ts";
import { CozystackError } from "../kube/errors.ts";
import { systemWorld } from "../kube/world.ts";
import type { Playing, Stage } from "../upgrade/stage.ts";
import { controllerLease, leadControllers, ownIdentity } from "./lead.ts";

/** Others go on to act as the controllers. */
class ControllersRunning extends CozystackError {
  constructor(holder: string) {
    super(
      "ControllersRunning",
      `${holder} acts as the controllers and does not step down: it is of this version already, or of a newer one`,
      "End it first: stop `cozystack up`, or scale its Deployment to 0. An older version steps down by itself.",
    );
  }
}

export interface UpgradeControllersOptions {
  /** Of this program. */
  readonly version: string;
  /** Seconds of the lease. Default 15. */
  readonly leaseSeconds?: number;
  /** See ControllersOptions. */
  readonly grafanaAt?: (namespace: string) => string;
  readonly log: (line: string) => void;
}

/** Starts them; resolves once they lead. @throws ControllersRunning when others keep the lease for three times its length */
export async function startUpgradeControllers(stage: Stage, options: UpgradeControllersOptions): Promise<Playing> {
  const { client, apps, recorder, signal } = stage;
  const { version, leaseSeconds = 15, grafanaAt, log } = options;
  const failed = new AbortController();
  const leads = Promise.withResolvers<void>();
  const ended = leadControllers({
    client,
    apps,
    version,
    log,
    signal: AbortSignal.any([signal, failed.signal]),
    identity: ownIdentity(),
    leaseSeconds,
    onLead: leads.resolve,
    ...(grafanaAt === undefined ? {} : { grafanaAt }),
    onPass: (app, state) => recorder.passed(app, state),
    onWritten: (app, changes) => recorder.written(app, changes),
  });
  const over = new AbortController();
  const late = systemWorld.sleep(leaseSeconds * 3_000, AbortSignal.any([signal, over.signal])).then(async () => {
    throw new ControllersRunning(await holderOf(client));
  });
  try {
    await Promise.race([leads.promise, late, ended]);
    return { ended };
  } catch (error) {
    failed.abort();
    await ended.catch(() => undefined);
    throw error;
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

async function holderOf(client: Client): Promise<string> {
  const lease = await client.get(Lease, controllerLease.name, controllerLease.namespace);
  return lease?.spec?.holderIdentity || "another process";
}
