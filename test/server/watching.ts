/** A watch as a client sees it, line by line, with what it was asked. */

import { Agent, request } from "undici";
import type { Client, Identity } from "../../src/kube/client.ts";
import { valueAt } from "../../src/kube/json.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";

export interface SeenEvent {
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly initialEnd: boolean;
  readonly object: unknown;
}

export interface OpenWatch {
  readonly status: number;
  readonly events: readonly SeenEvent[];
  /** Resolves when the server ends the stream. */
  readonly ended: Promise<void>;
  /** Waits for an event. */
  next(matches: (event: SeenEvent) => boolean, seconds?: number): Promise<SeenEvent>;
  close(): void;
}

function read(line: string): SeenEvent {
  const value: unknown = JSON.parse(line);
  const object = valueAt(value, "object");
  const text = (...path: string[]): string => String(valueAt(object, ...path) ?? "");
  return {
    type: String(valueAt(value, "type")),
    name: text("metadata", "name"),
    version: text("metadata", "resourceVersion"),
    initialEnd: valueAt(object, "metadata", "annotations", "k8s.io/initial-events-end") === "true",
    object,
  };
}

/** Opens `path` with `query` at the API server of the kubeconfig. `user`: impersonated. */
export async function openWatch(
  kubeconfig: string,
  path: string,
  query: Readonly<Record<string, string>>,
  user?: string,
): Promise<OpenWatch> {
  const { server, ca, token } = loadKubeconfig(kubeconfig);
  const dispatcher = new Agent({ connect: { ...(ca === undefined ? {} : { ca }) }, bodyTimeout: 0 });
  const stop = new AbortController();
  const answer = await request(`${server}${path}?${new URLSearchParams({ watch: "1", ...query })}`, {
    dispatcher,
    signal: stop.signal,
    headers: { authorization: `Bearer ${token}`, ...(user === undefined ? {} : { "impersonate-user": user }) },
  });
  const events: SeenEvent[] = [];
  const waiting = new Set<() => void>();
  const tell = (): void => {
    for (const one of waiting) one();
  };
  const ended = (async () => {
    let rest = "";
    try {
      for await (const chunk of answer.body) {
        const lines = (rest + String(chunk)).split("\n");
        rest = lines.pop() ?? "";
        events.push(...lines.filter((line) => line !== "").map(read));
        tell();
      }
    } catch {
      // Closed by the test.
    }
  })();
  return {
    status: answer.statusCode,
    events,
    ended,
    next: (matches, seconds = 10) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find(matches);
          if (found === undefined) return;
          waiting.delete(look);
          clearTimeout(timer);
          resolve(found);
        };
        const timer = setTimeout(() => {
          waiting.delete(look);
          const seen = events.map(({ type, name }) => `${type} ${name}`).join(", ");
          reject(new Error(`no such event within ${seconds} s; seen: ${seen}`));
        }, seconds * 1000);
        waiting.add(look);
        look();
      }),
    close() {
      stop.abort();
      void dispatcher.destroy();
    },
  };
}

/** The same API server with somebody else's rights. */
export const as = (client: Client, user: string, ...groups: readonly string[]): Client => {
  const identity: Identity = groups.length === 0 ? { user } : { user, groups };
  return client.as(identity);
};
