/**
 * An earlier release of the catalogue, as far as a test needs one: the same applications, some of whose objects were rendered
 * otherwise, or whose definitions knew less.
 */
import { apps as catalogue } from "../../src/apps/index.ts";
import { ConfigMap } from "../../src/contracts/core.ts";
import type { Client } from "../../src/kube/client.ts";
import { isRecord } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import type { App } from "../../src/sdk/app.ts";
import type { Manifest } from "../../src/sdk/manifest.ts";
import { ownStamp, stampObject } from "../../src/upgrade/versions.ts";

/** What an earlier release rendered in the place of an object. */
export type Earlier = (object: KubeObject) => readonly KubeObject[];

/** The application as it was, whose objects were as `earlier` makes them. */
export function earlierApp(app: App, earlier: Earlier): App {
  return {
    ...app,
    instance(object, context) {
      const instance = app.instance(object, context);
      return {
        ...instance,
        render: (answers) => instance.render(answers).flatMap((manifest) => asEarlier(manifest, earlier)),
      };
    },
  };
}

function asEarlier(manifest: Manifest, earlier: Earlier): readonly Manifest[] {
  return earlier(manifest.object).map((object) => ({ ...manifest, object }));
}

/** The object with fields of its spec otherwise, those of records within it one by one. */
export function withSpec(object: KubeObject & { readonly spec?: unknown }, spec: object): KubeObject {
  return { ...object, ...{ spec: merged(object.spec, spec) } };
}

function merged(base: unknown, over: object): object {
  const result: Record<string, unknown> = isRecord(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(over)) result[key] = isRecord(value) ? merged(result[key], value) : value;
  return result;
}

/** The catalogue of an earlier release, by kind what it did otherwise. */
export function earlierRelease(differences: Readonly<Record<string, Earlier>>): readonly App[] {
  return catalogue.map((app) => {
    const earlier = differences[app.kind];
    return earlier === undefined ? app : earlierApp(app, earlier);
  });
}

/** Marks an installation as one that no migration is left for, or those from `stamp` on. */
export async function stampAsNow(admin: Client, stamp: number = ownStamp): Promise<void> {
  const { namespace, name, key } = stampObject;
  await admin.apply(ConfigMap, ConfigMap(name, { namespace, data: { [key]: String(stamp) } }));
}
