/**
 * What a store costs: memory per object (whole, trimmed, metadata only) and the time to fill it.
 */
import { randomBytes } from "node:crypto";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { connect } from "../src/kube/connect.ts";
import { ConfigMap, Namespace } from "../src/kube/core-kinds.ts";
import { type Informer, informer, metadataInformer } from "../src/kube/informer.ts";
import { loadKubeconfig } from "../src/kube/kubeconfig.ts";
import { systemWorld } from "../src/kube/world.ts";
import { sharedEngine } from "../test/support/shared-engine.ts";
import type { Figure } from "./figure.ts";
import { measure } from "./measure.ts";

const objects = 2000;

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Memory that stays in use. */
function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

export async function run(): Promise<readonly Figure[]> {
  const access = loadKubeconfig(process.env["COZYSTACK_TEST_KUBECONFIG"] ?? (await sharedEngine()));
  const client = connect({ ...access, fieldManager: "bench" });
  const namespace = `bench-${randomBytes(4).toString("hex")}`;
  await client.create(Namespace, Namespace(namespace));
  await measure(objects, 16, undefined, (index) =>
    client.apply(
      ConfigMap,
      ConfigMap(`object-${index}`, {
        namespace,
        labels: { "app.kubernetes.io/instance": `object-${index}`, "app.kubernetes.io/managed-by": "bench" },
        data: Object.fromEntries(Array.from({ length: 12 }, (_, key) => [`key-${key}`, `${index}`.padEnd(40, "x")])),
      }),
    ),
  );
  const common = { client, kind: ConfigMap, namespace, world: systemWorld };
  const trim = ({ data: _, ...rest }: ConfigMap): ConfigMap => rest;
  const forms: readonly (readonly [string, () => Informer<ConfigMap>])[] = [
    ["metadata only", () => metadataInformer(common)],
    ["data trimmed", () => informer({ ...common, trim })],
    ["whole", () => informer(common)],
  ];
  // All are kept to the end: what one frees must not count for the next.
  const kept: Informer<ConfigMap>[] = [];
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  const fill = async (make: () => Informer<ConfigMap>): Promise<{ readonly ms: number; readonly size: number }> => {
    const started = performance.now();
    const made = make();
    kept.push(made);
    running.push(made.run(stop.signal));
    await made.store.ready();
    return { ms: performance.now() - started, size: made.store.size };
  };
  // The first fill pays for code and connections.
  await fill(() => informer(common));
  const rows = [];
  for (const [form, make] of forms) {
    const before = heap();
    const { ms, size } = await fill(make);
    const held = heap() - before;
    rows.push({ form, objects: size, "bytes/object": Math.round(held / size), "fill ms": Math.round(ms) });
  }
  console.table(rows);
  stop.abort();
  await Promise.all(running);
  console.log(`${kept.length} stores kept`);
  await client.delete(Namespace, namespace);
  await client.close();
  // Its own table says it all.
  return [];
}
