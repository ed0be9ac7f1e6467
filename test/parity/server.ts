/**
 * Asks an API server whether it refuses the application object of a case: some rules are the schema's or a policy's alone.
 * The server is one of our own, started when it is first needed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, startEngine } from "../../embedded/engine.ts";
import { EngineError } from "../../embedded/errors.ts";
import { kindByGroupKind } from "../../src/contracts/index.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { Namespace } from "../../src/kube/kinds/core.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { groupOf, type Kind, type UnknownObject } from "../../src/kube/object.ts";
import { systemWorld } from "../../src/kube/world.ts";
import { inForceObjects, policiesInForce } from "../../src/platform/policies-in-force.ts";
import type { App } from "../../src/sdk/app.ts";
import { admissionPolicies } from "../../src/sdk/policies/index.ts";
import { serve } from "../schema/install.ts";
import type { ParityCase } from "./case.ts";
import { nameOf } from "./render-case.ts";

export interface CaseServer {
  /** Undefined: no engine can be started here. */
  refuses(testCase: ParityCase, app: App): Promise<boolean | undefined>;
  close(): Promise<void>;
}

interface Running {
  readonly engine: Engine;
  readonly client: Client;
  readonly dataDir: string;
}

function kindOf(app: App): Kind<UnknownObject> {
  return { group: app.group, version: "v1alpha1", kind: app.kind, plural: app.plural, namespaced: true };
}

function objectOf(app: App, name: string, namespace: string, spec: unknown): UnknownObject {
  return { apiVersion: `${app.group}/v1alpha1`, kind: app.kind, metadata: { name, namespace }, spec };
}

async function refused(client: Client, app: App, object: UnknownObject): Promise<boolean> {
  try {
    await client.create(kindOf(app), object, { dryRun: true });
    return false;
  } catch (error) {
    if (isApiError(error, "Invalid", "BadRequest", "Forbidden")) return true;
    throw error;
  }
}

async function start(apps: readonly App[]): Promise<Running | undefined> {
  const dataDir = join(mkdtempSync(join(tmpdir(), "parity-")), "data");
  let engine: Engine;
  try {
    const components = ["etcd", "kube-apiserver"] as const;
    engine = await startEngine({ dataDir, fsync: false, components, log: (line) => console.error(line) });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    console.error(`no engine to ask: ${error.message}`);
    return undefined;
  }
  const options = loadKubeconfig(engine.kubeconfigPath);
  const client = connect({ ...options, fieldManager: "cozystack-test", userAgent: "cozystack-test" });
  await serve(client, apps);
  const policies = admissionPolicies(apps);
  await client.apply(Namespace, Namespace("cozy-system"));
  for (const object of [...policies, ...inForceObjects(policies)]) {
    const kind = kindByGroupKind(groupOf(object.apiVersion), object.kind);
    if (kind === undefined) throw new Error(`${object.kind} is no known kind`);
    await client.apply(kind, object);
  }
  await policiesInForce(client, policies, systemWorld);
  return { engine, client, dataDir };
}

/** A server for the cases of these applications. */
export function caseServer(apps: readonly App[]): CaseServer {
  let running: Promise<Running | undefined> | undefined;
  return {
    async refuses(testCase, app) {
      running ??= start(apps);
      const server = await running;
      if (server === undefined) return undefined;
      const { namespace } = testCase.release;
      await server.client.apply(Namespace, Namespace(namespace));
      return refused(server.client, app, objectOf(app, nameOf(testCase, app), namespace, testCase.values));
    },
    async close() {
      const server = await running;
      if (server === undefined) return;
      await server.client.close();
      await server.engine.stop();
      rmSync(join(server.dataDir, ".."), { recursive: true, force: true });
    },
  };
}
