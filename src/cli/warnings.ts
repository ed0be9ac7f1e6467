/**
 * What is no error in a document, and yet hardly meant.
 */
import { valueAt } from "../kube/json.ts";
import type { KubeObject } from "../kube/object.ts";
import { unknownFields } from "../reconcile/unknown-fields.ts";
import type { App } from "../sdk/app.ts";

/** One text for each field that nobody reads. */
export function unknownFieldWarnings(app: App, object: KubeObject): readonly string[] {
  return unknownFields(app.schema, valueAt(object, "spec")).map(
    (field) => `${field} is not known: it is kept and has no effect`,
  );
}
