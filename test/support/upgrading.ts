/** Rehearsals and upgrades of a test's cloud, from an earlier release to this one and back. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pace, rehearsalPlayers } from "../../src/cli/rehearsal-stage.ts";
import { startUpgradeControllers } from "../../src/cli/upgrade-controllers.ts";
import { connect } from "../../src/kube/connect.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import type { Intercept } from "../../src/kube/request.ts";
import { systemWorld } from "../../src/kube/world.ts";
import type { App } from "../../src/sdk/app.ts";
import type { AppEffect } from "../../src/upgrade/effects/effect.ts";
import { migrationManager } from "../../src/upgrade/migrations/run.ts";
import { type Rehearsal, rehearse } from "../../src/upgrade/rehearse/rehearse.ts";
import { runUpgrade, type Upgraded } from "../../src/upgrade/run/run.ts";
import type { Cloud } from "./cloud.ts";
import { isWithin } from "./everything.ts";

interface Common {
  readonly apps: readonly App[];
  /** Default: every request passes. */
  readonly intercept?: Intercept;
}

/** With what was said if it fails. */
async function telling<T>(log: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error) error.message = `${error.message}\n${log.join("\n")}`;
    throw error;
  }
}

const passing: Intercept = () => undefined;

export async function rehearseOn(cloud: Cloud, { apps, intercept = passing }: Common): Promise<Rehearsal> {
  const source = connect({ ...loadKubeconfig(cloud.engine.kubeconfig), fieldManager: "rehearsal", intercept });
  const log: string[] = [];
  const said = (line: string) => void log.push(line);
  const options = {
    source,
    apps,
    fieldManager: "cozystack",
    version: "2.0.0",
    players: rehearsalPlayers(said),
    pace,
    patience: 120_000,
    quiet: 1_500,
    signal: AbortSignal.timeout(240_000),
    log: said,
  };
  return telling(log, () => rehearse(options)).finally(() => source.close());
}

export interface RunOn extends Common {
  readonly version: string;
  /** Namespace of a tenant. */
  readonly canary: string;
  readonly patience?: number;
  readonly back?: boolean;
}

/** Where test runs save our objects. */
export const savedTo = mkdtempSync(join(tmpdir(), "cozystack-saved-"));

export async function runOn(cloud: Cloud, options: RunOn): Promise<Upgraded> {
  const { apps, version, canary, patience = 60_000, back = false, intercept = passing } = options;
  const access = loadKubeconfig(cloud.engine.kubeconfig);
  const client = connect({ ...access, fieldManager: "cozystack", intercept });
  const migrations = connect({ ...access, fieldManager: migrationManager, intercept });
  const log: string[] = [];
  const said = (line: string) => void log.push(line);
  const { grafanaAt } = cloud;
  return telling(log, () =>
    runUpgrade({
      client,
      migrations,
      apps,
      version,
      identity: `test-${version}`,
      controllers: (stage) =>
        startUpgradeControllers(stage, { version, log: said, ...(grafanaAt === undefined ? {} : { grafanaAt }) }),
      waves: { canary },
      patience,
      quiet: 1_000,
      pace,
      directory: savedTo,
      back,
      world: systemWorld,
      signal: AbortSignal.timeout(240_000),
      log: said,
    }),
  ).finally(() => Promise.all([client.close(), migrations.close()]));
}

/** Effects on what is in the cloud's own subtree: its controllers leave the rest of the cluster alone, ours do not. */
export function within(cloud: Cloud, effects: readonly AppEffect[]): readonly AppEffect[] {
  return effects.filter(({ tenant }) => isWithin(cloud.root, tenant));
}
