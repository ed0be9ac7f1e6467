/** The API server that engine tests (`*.engine.test.ts`) run against: one for all of them. */
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type EngineOptions, purge, startEngine } from "../../embedded/engine.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { Namespace } from "../../src/kube/core-kinds.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { freeNamespaces } from "./free-namespaces.ts";
import { sharedEngine } from "./shared-engine.ts";

export interface TestEngine {
  /** Path of the administrator's kubeconfig. */
  readonly kubeconfig: string;
  /** A client of the administrator, closed when the test file ends. */
  client(fieldManager?: string): Client;
  /** Makes a namespace `PREFIX-RANDOM`, gone at the latest when the engine ends. */
  namespace(prefix: string): Promise<string>;
}

/**
 * The engine of `own`, a kubeconfig, where a file has one for itself; else that named by `COZYSTACK_TEST_KUBECONFIG` (the runner
 * sets it), else the one shared by test files run by hand.
 */
export async function testEngine(own?: string): Promise<TestEngine> {
  const given = own ?? process.env["COZYSTACK_TEST_KUBECONFIG"];
  const kubeconfig = given ?? (await sharedEngine());
  const options = loadKubeconfig(kubeconfig);
  const clients: Client[] = [];
  const namespaces: string[] = [];
  const client = (fieldManager = "cozystack-test"): Client => {
    const made = connect({ ...options, fieldManager, userAgent: "cozystack-test" });
    clients.push(made);
    return made;
  };
  const admin = client();
  after(async () => {
    // Such an engine ends by itself, and namespaces with it.
    if (given === undefined) await freeNamespaces(admin, namespaces);
    await Promise.all(clients.map((one) => one.close()));
  });
  return {
    kubeconfig,
    client,
    async namespace(prefix) {
      const name = `${prefix}-${randomBytes(4).toString("hex")}`;
      await admin.create(Namespace, Namespace(name));
      namespaces.push(name);
      return name;
    },
  };
}

/** An engine of the test file's own, ended with the file: for what would upset other files, or be upset by them. */
export async function ownEngine(options: Omit<EngineOptions, "dataDir" | "fsync"> = {}): Promise<TestEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), "cozystack-own-test-"));
  const started = await startEngine({ ...options, dataDir, fsync: false });
  const engine = await testEngine(started.kubeconfigPath);
  // After what closes its clients.
  after(async () => {
    await started.stop();
    purge(dataDir);
  });
  return engine;
}
