/**
 * Before a definition is replaced: fields that the cluster's own has and ours has not would be dropped from what people
 * stored, at the next write of each object and without a word. That is the case when an older version is installed over a
 * newer one.
 */
import type { Client } from "../kube/client.ts";
import { CozystackError } from "../kube/errors.ts";
import { CustomResourceDefinition } from "../kube/kinds/extension.ts";
import { droppedFields, fieldsOf } from "../sdk/released-fields.ts";

const SHOWN = 10;

/** A definition in the cluster has fields that ours would drop, or of another type. */
export class StoredFieldsDropped extends CozystackError {
  constructor(name: string, fields: readonly string[]) {
    const more = fields.length > SHOWN ? `; and ${fields.length - SHOWN} more` : "";
    super(
      "StoredFieldsDropped",
      `CustomResourceDefinition ${name}: stored fields would be lost: ${fields.slice(0, SHOWN).join("; ")}${more}`,
      "Install the version that made this definition, or a newer one. To give the fields up, take them out of the definition in the cluster first.",
    );
  }
}

/** Reads the cluster's definitions of these names. @throws StoredFieldsDropped for the first that ours may not replace */
export async function keepStoredFields(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  signal?: AbortSignal,
): Promise<void> {
  const call = signal === undefined ? {} : { signal };
  const live = await Promise.all(
    definitions.map(({ metadata }) => client.get(CustomResourceDefinition, metadata.name, undefined, call)),
  );
  definitions.forEach((ours, at) => {
    const theirs = live[at];
    if (theirs === undefined) return;
    const dropped = droppedFields(fieldsOf(theirs), fieldsOf(ours));
    if (dropped.length > 0) throw new StoredFieldsDropped(ours.metadata.name, dropped);
  });
}
