/**
 * The floor: the objects of as many applications, server-side applied by a bare client that does nothing else, to an API
 * server that nobody watches. No controller can be faster on the same machine.
 */
import { apps } from "../src/apps/index.ts";
import { kindByGroupKind } from "../src/contracts/index.ts";
import { Namespace } from "../src/kube/core-kinds.ts";
import { groupOf, type KubeObject, refOf } from "../src/kube/object.ts";
import { bodyOf } from "../src/reconcile/body.ts";
import { renderApp } from "../test/support/render.ts";
import { openEngine } from "./lab.ts";
import { measureProcesses } from "./process-figures.ts";

export interface Floor {
  readonly applications: number;
  readonly objects: number;
  readonly seconds: number;
  readonly cpuSeconds: Readonly<Record<string, number>>;
}

const NAMESPACE = "tenant-floor";

/** Every object that an application of default specification renders, as our controller would write it. */
export function bodiesOf(kind: string, name: string, namespace: string): readonly KubeObject[] {
  const app = apps.find((each) => each.kind === kind);
  if (app === undefined) throw new Error(`no application ${kind}`);
  const { objects } = renderApp(app, { name, place: { namespace, ancestors: ["tenant-root"] } });
  return objects.map((object) => {
    const placed = { ...object, metadata: { ...object.metadata, namespace } };
    const { uid: _, ...ref } = refOf(placed);
    return bodyOf(placed, ref, { ownerUid: name });
  });
}

/** Applies the objects of `applications` applications, 32 requests at a time, on an engine of its own. */
export async function floor(kind: string, applications: number, log: (line: string) => void): Promise<Floor> {
  const { client, pids, close } = await openEngine({ log });
  try {
    await client.create(Namespace, Namespace(NAMESPACE));
    const bodies = Array.from({ length: applications }, (_, index) =>
      bodiesOf(kind, `floor${index}`, NAMESPACE),
    ).flat();
    const apply = (object: KubeObject) => {
      const known = kindByGroupKind(groupOf(object.apiVersion), object.kind);
      if (known === undefined) throw new Error(`no contract for ${object.kind}`);
      // As any client asks that asks for nothing special.
      return client.apply(known, object, { fieldValidation: "Warn" });
    };
    // The first requests pay for connections and caches.
    for (const object of bodiesOf(kind, "warm", NAMESPACE)) await apply(object);
    const all = new Map<string, number>([...pids, ["client", process.pid]]);
    let next = 0;
    const { seconds, cpuSeconds } = await measureProcesses(all, async () => {
      const worker = async () => {
        for (let object = bodies[next++]; object !== undefined; object = bodies[next++]) await apply(object);
      };
      await Promise.all(Array.from({ length: 32 }, worker));
    });
    return { applications, objects: bodies.length, seconds, cpuSeconds };
  } finally {
    await close();
  }
}
