/** Informers as client-go has them, against the aggregated API. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../src/kube/connect.ts";
import { Namespace, Secret } from "../../src/kube/core-kinds.ts";
import { informer } from "../../src/kube/informer.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import type { Kind, UnknownObject } from "../../src/kube/object.ts";
import type { InterceptEvent } from "../../src/kube/request.ts";
import { systemWorld } from "../../src/kube/world.ts";
import { eventually } from "../support/eventually.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { pathOf, shownSecret, TenantNamespace, TenantSecret, tenant } from "./fixtures.ts";
import { openWatch } from "./watching.ts";

interface Case {
  readonly kind: Kind<UnknownObject>;
  /** Makes an object in the namespace, changes it, takes it away. */
  make(engine: ServerEngine, name: string, namespace: string): Promise<void>;
  change(engine: ServerEngine, name: string, namespace: string, value: string): Promise<void>;
  remove(engine: ServerEngine, name: string, namespace: string): Promise<void>;
  readonly cluster: boolean;
}

const cases: readonly Case[] = [
  {
    kind: TenantSecret,
    cluster: false,
    make: async (engine, name, namespace) => void (await engine.client().create(Secret, shownSecret(name, namespace))),
    change: async (engine, name, namespace, value) =>
      void (await engine.client().mergePatch(Secret, name, namespace, { metadata: { labels: { value } } })),
    remove: async (engine, name, namespace) => void (await engine.client().delete(Secret, name, namespace)),
  },
  {
    kind: TenantNamespace,
    cluster: true,
    make: async (engine, name) => void (await engine.client().create(Namespace, Namespace(name))),
    change: async (engine, name, _, value) =>
      void (await engine.client().mergePatch(Namespace, name, undefined, { metadata: { labels: { value } } })),
    remove: async (engine, name) => {
      await engine.client().delete(Namespace, name);
      await eventually("it is gone", async () => (await engine.client().get(Namespace, name)) === undefined);
    },
  },
];

export function informersSuite(engine: () => ServerEngine): void {
  for (const { kind, make, change, remove, cluster } of cases) {
    test(`an informer of ${kind.kind} stays complete through lost connections and expired versions`, async () => {
      const namespace = await tenant(engine().client());
      const nameOf = (index: number) => (cluster ? `${namespace}-${index}` : `n${index}`);
      let verdict: ReturnType<InterceptEvent> = "pass";
      const disturbed = connect({
        ...loadKubeconfig(engine().kubeconfig),
        fieldManager: "informer",
        interceptEvent: () => {
          const now = verdict;
          verdict = "pass";
          return now;
        },
      });
      const stop = new AbortController();
      const { store, run } = informer({
        client: disturbed,
        kind,
        world: systemWorld,
        ...(cluster ? {} : { namespace }),
      });
      const running = run(stop.signal);
      const values = () =>
        Object.fromEntries(
          store
            .list()
            .filter(({ metadata }) => !cluster || metadata.name.startsWith(`${namespace}-`))
            .map(({ metadata }) => [metadata.name, metadata.labels?.["value"]]),
        );
      try {
        await make(engine(), nameOf(0), namespace);
        await store.ready();
        await eventually("the first is known", async () => nameOf(0) in values());
        for (const [index, how] of (["disconnect", "expire", "pass"] as const).entries()) {
          const name = nameOf(index + 1);
          verdict = how;
          await make(engine(), name, namespace);
          await change(engine(), nameOf(0), namespace, how);
          await eventually(`${how}: everything is known`, async () => name in values() && values()[nameOf(0)] === how);
        }
        verdict = "disconnect";
        await remove(engine(), nameOf(1), namespace);
        await eventually("a deletion is known", async () => !(nameOf(1) in values()));
        assert.deepEqual(Object.keys(values()).sort(), [nameOf(0), nameOf(2), nameOf(3)]);
      } finally {
        stop.abort();
        await running;
        await disturbed.close();
      }
    });

    test(`list, then watch from its version, as older clients do: ${kind.kind}`, async () => {
      const namespace = await tenant(engine().client());
      const name = cluster ? `${namespace}-a` : "a";
      await make(engine(), name, namespace);
      const client = engine().client();
      const scope = cluster ? {} : { namespace };
      const { resourceVersion } = await eventually("it is listed", async () => {
        const list = await client.list(kind, scope);
        return list.items.some(({ metadata }) => metadata.name === name) ? list : undefined;
      });
      const path = pathOf(kind, cluster ? undefined : namespace);
      const watch = await openWatch(engine().kubeconfig, path, {
        resourceVersion,
        timeoutSeconds: "4",
        allowWatchBookmarks: "true",
      });
      await change(engine(), name, namespace, "1");
      const seen = await watch.next(
        (event) => event.type === "MODIFIED" && event.name === name && BigInt(event.version) > BigInt(resourceVersion),
      );
      await watch.ended;
      assert.ok(!watch.events.some(({ type }) => type === "ERROR"), "ends when its time is over");
      await change(engine(), name, namespace, "2");
      const resumed = await openWatch(engine().kubeconfig, path, { resourceVersion: seen.version });
      await resumed.next((event) => event.name === name && BigInt(event.version) > BigInt(seen.version));
      resumed.close();
    });
  }
}
