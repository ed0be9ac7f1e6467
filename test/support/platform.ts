/** The shared engine with the platform installed into it: its kinds, roles, policies and the root tenant. */
import { installPlatform } from "../../src/platform/install.ts";
import { type TestEngine, testEngine } from "./engine.ts";

/** Costs reads only where another test file has installed it already. */
export async function platformEngine(): Promise<TestEngine> {
  const engine = await testEngine();
  await installPlatform(engine.client(), { twin: true });
  return engine;
}
