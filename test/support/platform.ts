/** An engine with the platform installed into it: its kinds, roles, policies and the root tenant. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { purge, startEngine } from "../../embedded/engine.ts";
import { installPlatform } from "../../src/platform/install.ts";
import type { App } from "../../src/sdk/app.ts";
import { type TestEngine, testEngine } from "./engine.ts";

/** The shared engine. Costs reads only where another test file has installed the platform already. */
export async function platformEngine(): Promise<TestEngine> {
  const engine = await testEngine();
  await installPlatform(engine.client(), { twin: true });
  return engine;
}

/** An engine of the test file's own, which serves these applications: what differs from the catalogue would upset others. */
export async function platformOf(apps: readonly App[]): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), "cozystack-own-test-"));
  const started = await startEngine({ dataDir, fsync: false });
  const engine = await testEngine(started.kubeconfigPath);
  // After what closes its clients.
  after(async () => {
    await started.stop();
    purge(dataDir);
  });
  await installPlatform(engine.client(), { twin: true, apps });
  return engine;
}
