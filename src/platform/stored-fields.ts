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

/**
 * What is done about definitions in the cluster that know more than ours. `keep`: they stay, for a way back to this version; the
 * program works with what it knows of their objects.
 */
export type NewerDefinitions = "refuse" | "keep";

/**
 * Reads the cluster's definitions of these names; gives the names of those that stay as they are.
 * @throws StoredFieldsDropped for the first that ours may not replace: one with more fields where those are refused, one in which a
 * field has another type always
 */
export async function keepStoredFields(
  client: Client,
  definitions: readonly CustomResourceDefinition[],
  newer: NewerDefinitions = "refuse",
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  const call = signal === undefined ? {} : { signal };
  const live = await Promise.all(
    definitions.map(({ metadata }) => client.get(CustomResourceDefinition, metadata.name, undefined, call)),
  );
  const kept = new Set<string>();
  definitions.forEach((ours, at) => {
    const theirs = live[at];
    if (theirs === undefined) return;
    const dropped = droppedFields(fieldsOf(theirs), fieldsOf(ours));
    if (dropped.length === 0) return;
    const { name } = ours.metadata;
    // Theirs can stand for ours only where it takes all that ours takes.
    const lacking = droppedFields(fieldsOf(ours), fieldsOf(theirs));
    if (newer === "refuse" || lacking.length > 0) throw new StoredFieldsDropped(name, dropped);
    kept.add(name);
  });
  return kept;
}
