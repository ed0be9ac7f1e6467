/**
 * A client of the copy that stores stand-ins where a Secret is written and hands out what they stand for where it is read. So
 * the controllers render what they would, and no value of a Secret reaches the copy.
 */
import type { Client, JsonPatch } from "../../kube/client.ts";
import { Secret } from "../../kube/core-kinds.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import type { StandIns } from "./stand-ins.ts";

const isSecret = (kind: AnyKind): boolean => kind.group === Secret.group && kind.kind === Secret.kind;

/** The same client with stand-ins between it and the API server. */
export function concealed(client: Client, standIns: StandIns): Client {
  const shown = <T extends KubeObject>(kind: AnyKind, object: T): T =>
    isSecret(kind) ? standIns.show(object) : object;
  const hidden = <T extends KubeObject>(kind: AnyKind, object: T): T =>
    isSecret(kind) ? standIns.hide(object, object.metadata.name, object.metadata.namespace) : object;
  return {
    ...client,
    async get(kind, name, namespace, options) {
      const object = await client.get(kind, name, namespace, options);
      return object === undefined ? undefined : shown(kind, object);
    },
    async list(kind, options) {
      const list = await client.list(kind, options);
      return { ...list, items: list.items.map((object) => shown(kind, object)) };
    },
    collect: (kind, take, options) => client.collect(kind, (object) => take(shown(kind, object)), options),
    async *pages(kind, options) {
      for await (const page of client.pages(kind, options)) {
        yield { ...page, items: page.items.map((object) => shown(kind, object)) };
      }
    },
    async *watch(kind, options) {
      for await (const event of client.watch(kind, options)) {
        yield "object" in event ? { ...event, object: shown(kind, event.object) } : event;
      }
    },
    async create(kind, object, options) {
      return shown(kind, await client.create(kind, hidden(kind, object), options));
    },
    async replace(kind, object, options) {
      return shown(kind, await client.replace(kind, hidden(kind, object), options));
    },
    async apply(kind, object, options) {
      return shown(kind, await client.apply(kind, hidden(kind, object), options));
    },
    async jsonPatch(kind, name, namespace, patch, options) {
      const sent = isSecret(kind) ? hiddenPatch(patch, name, namespace, standIns) : patch;
      return shown(kind, await client.jsonPatch(kind, name, namespace, sent, options));
    },
    async mergePatch(kind, name, namespace, patch, options) {
      const sent = isSecret(kind) ? standIns.hide(patch, name, namespace) : patch;
      return shown(kind, await client.mergePatch(kind, name, namespace, sent, options));
    },
    as: (identity) => concealed(client.as(identity), standIns),
  };
}

const unescaped = (segment: string): string => segment.replaceAll("~1", "/").replaceAll("~0", "~");

function hiddenPatch(patch: JsonPatch, name: string, namespace: string | undefined, standIns: StandIns): JsonPatch {
  return patch.map((one) => {
    if (one.op === "remove") return one;
    if (one.path === "/data" && typeof one.value === "object" && one.value !== null) {
      return { ...one, value: Object.values(standIns.hide({ data: one.value }, name, namespace))[0] };
    }
    const key = /^\/data\/([^/]+)$/.exec(one.path)?.[1];
    if (key === undefined || typeof one.value !== "string") return one;
    return { ...one, value: standIns.hideValue({ name, namespace, key: unescaped(key) }, one.value) };
  });
}
