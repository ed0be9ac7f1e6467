/**
 * The controllers, or the twin, in a process of their own, so that what they use is theirs alone. Answers questions of its
 * parent; ends with it.
 */
import { apps } from "../src/apps/index.ts";
import { runControllers } from "../src/cli/controllers.ts";
import { connect } from "../src/kube/connect.ts";
import { loadKubeconfig } from "../src/kube/kubeconfig.ts";
import { systemWorld } from "../src/kube/world.ts";
import { startTwin } from "../src/twin/index.ts";

/** What a child has asked of the API server so far. Reads begun as watches are counted once each. */
export interface ChildCounts {
  readonly writes: number;
  readonly reads: number;
  /** By verb and kind, such as `apply Role`. */
  readonly requests: Readonly<Record<string, number>>;
  readonly errors: readonly string[];
}

export type Role = "controllers" | "twin";

async function run(role: Role, kubeconfig: string): Promise<void> {
  const requests: Record<string, number> = {};
  const errors: string[] = [];
  const client = connect({
    ...loadKubeconfig(kubeconfig),
    fieldManager: role === "twin" ? "twin" : "cozystack",
    onRequest: ({ request, status }) => {
      const key = `${request.verb} ${request.kind ?? ""}${status >= 400 || status === 0 ? ` (${status})` : ""}`;
      requests[key] = (requests[key] ?? 0) + 1;
    },
  });
  const stop = new AbortController();
  const told = (line: string) => {
    if (errors.length < 1000) errors.push(line);
  };
  process.on("message", (question) => {
    if (question === "counts") {
      const { counters } = client;
      process.send?.({ writes: counters.writes(), reads: counters.reads(), requests: { ...requests }, errors });
    }
    if (question === "stop") stop.abort();
  });
  process.once("disconnect", () => stop.abort());
  const { signal } = stop;
  if (role === "controllers") {
    process.send?.("started");
    await runControllers({ client, world: systemWorld, signal, apps, log: told });
  } else {
    const { ended } = await startTwin({ client, signal, onError: (what, error) => told(`${what}: ${error}`) });
    process.send?.("started");
    await ended;
  }
  await client.close();
  if (process.connected) process.disconnect?.();
}

if (import.meta.main) {
  const [role, kubeconfig = ""] = process.argv.slice(2);
  await run(role === "twin" ? "twin" : "controllers", kubeconfig);
}
