/** An engine with the platform installed into it: its kinds, roles, policies and the root tenant. */
import { installPlatform } from "../../src/platform/install.ts";
import type { App } from "../../src/sdk/app.ts";
import { ownEngine, type TestEngine, testEngine } from "./engine.ts";

/** The shared engine. Costs reads only where another test file has installed the platform already. */
export async function platformEngine(): Promise<TestEngine> {
  const engine = await testEngine();
  await installPlatform(engine.client(), { twin: true });
  return engine;
}

/** An engine of the test file's own, which serves these applications: what differs from the catalogue would upset others. */
export async function platformOf(apps: readonly App[]): Promise<TestEngine> {
  const engine = await ownEngine();
  await installPlatform(engine.client(), { twin: true, apps });
  return engine;
}
