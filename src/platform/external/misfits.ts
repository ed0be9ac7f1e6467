/**
 * Applications that a definition's new schema would refuse: with it they could not be changed any more, nor their status
 * told. The schema in force stays until they fit.
 */
import Value from "typebox/value";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { valueAt } from "../../kube/json.ts";
import type { Kind, KubeObject } from "../../kube/object.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import type { App } from "../../sdk/app.ts";
import { withDefaults } from "../../sdk/defaults.ts";

/** Named with the field; undefined when all fit. */
export async function misfits(client: Client, app: App): Promise<string | undefined> {
  const kind: Kind<KubeObject> = kindOfApp(app);
  const found: string[] = [];
  for (const object of await objectsOf(client, kind)) {
    const spec = withDefaults(app.schema, valueAt(object, "spec"));
    const [error] = Value.Errors(app.schema, spec);
    if (error === undefined) continue;
    const { namespace, name } = object.metadata;
    found.push(`${namespace}/${name} (spec${error.instancePath.replaceAll("/", ".")}: ${error.message})`);
  }
  if (found.length === 0) return undefined;
  const shown = found.slice(0, 5).join(", ");
  return `spec.application.openAPISchema: ${found.length} applications do not fit it and would be frozen: ${shown}${found.length > 5 ? ", ..." : ""}; change them first, or allow what they have; the schema before stays in force`;
}

async function objectsOf(client: Client, kind: Kind<KubeObject>): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(kind)).items;
  } catch (error) {
    if (isApiError(error, "Unserved")) return [];
    throw error;
  }
}
