/**
 * Upstream's stamp: the ConfigMap that carries the number of the first migration that an installation has not had. It is read,
 * and kept in step with our own record, so that upstream's tools see what is true.
 */

import { ROOT } from "../../apps/tenant/place.ts";
import { ConfigMap, Namespace } from "../../contracts/core.ts";
import type { CallOptions, Client } from "../../kube/client.ts";
import type { KubeObject } from "../../kube/object.ts";
import { noDeleteLabel } from "../../sdk/policies/index.ts";
import { ownStamp, parseStamp, stampObject } from "../versions.ts";
import { MigrationError } from "./errors.ts";
import { type Edit, fieldAt } from "./writes.ts";

/** The oldest stamp from which the way is known. */
export const oldestStamp = 37;

const keepAnnotation = "helm.sh/resource-policy";
const place = `ConfigMap ${stampObject.namespace}/${stampObject.name}`;

export interface Stamp {
  readonly object: KubeObject;
  readonly value: number;
}

/**
 * The stamp; undefined on a cluster that has no installation.
 * @throws MigrationError where an installation has none that can be used
 */
export async function readStamp(client: Client, call: CallOptions = {}): Promise<Stamp | undefined> {
  const object = await client.get(ConfigMap, stampObject.name, stampObject.namespace, call);
  if (object === undefined) {
    if ((await client.getMetadata(Namespace, ROOT, undefined, call)) === undefined) return undefined;
    throw new MigrationError(
      "StampMissing",
      `${place} is missing, so that nothing says which migrations the installation has had`,
      "Find out which version was installed last, and create it anew with that version's stamp under data.version.",
    );
  }
  const text = object.data?.[stampObject.key];
  const value = parseStamp(text);
  if (value === undefined) {
    throw new MigrationError(
      "StampInvalid",
      `${place} says "${text ?? ""}", which is no number of a migration`,
      "Find out which version was installed last, and write its stamp under data.version.",
    );
  }
  if (value < oldestStamp) {
    throw new MigrationError(
      "StampTooOld",
      `the installation is at stamp ${value}; migrations are known from ${oldestStamp} on`,
      "Upgrade to the last version of 1.4 first, by its own instructions.",
    );
  }
  if (value > ownStamp) {
    throw new MigrationError(
      "StampBeyond",
      `the installation is at stamp ${value}, beyond the ${ownStamp} of this program: migrations have no way back`,
      "Use a version of this program that is not older than the installation.",
    );
  }
  return { object, value };
}

/** What is left to write of a stamp: its number, what guards it, and the annotations of a migration. */
export function stampEdits(
  object: KubeObject,
  value: number,
  annotations: Readonly<Record<string, string | null>> = {},
): readonly Edit[] {
  const wanted: readonly Edit[] = [
    { path: ["data", stampObject.key], to: String(value) },
    { path: ["metadata", "labels", noDeleteLabel], to: "true" },
    { path: ["metadata", "annotations", keepAnnotation], to: "keep" },
    ...Object.entries(annotations).map(([name, to]) => ({
      path: ["metadata", "annotations", name],
      to: to ?? undefined,
    })),
  ];
  return wanted.filter(({ path, to }) => fieldAt(object, path) !== to);
}
