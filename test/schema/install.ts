/** Definitions in the shared engine, and the kinds they serve. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../src/kube/client.ts";
import { CustomResourceDefinition } from "../../src/kube/core-kinds.ts";
import { defineKind, type KindConstructor } from "../../src/kube/define-kind.ts";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import type { App } from "../../src/sdk/app.ts";

export interface ApplicationObject extends KubeObject {
  readonly spec?: unknown;
  readonly status?: unknown;
  readonly appVersion?: string;
}

/** The kind of an application's objects. */
export function kindOf({ group, kind, plural }: App): KindConstructor<ApplicationObject> {
  return defineKind<ApplicationObject>({ group, version: "v1alpha1", kind, plural, namespaced: true });
}

const isTrue = (type: string) => (each: unknown) =>
  isRecord(each) && each["type"] === type && each["status"] === "True";

/** Serves the kinds, as the product does. */
export async function serve(client: Client, apps: readonly App[]): Promise<void> {
  await Promise.all(apps.map((app) => client.apply(CustomResourceDefinition, app.crd())));
  for (const app of apps) {
    for (;;) {
      const live: unknown = await client.get(CustomResourceDefinition, app.crd().metadata.name);
      const conditions = valueAt(live, "status", "conditions");
      if (Array.isArray(conditions) && conditions.some(isTrue("Established"))) break;
      await sleep(20);
    }
  }
}
