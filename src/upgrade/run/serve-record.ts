/**
 * Has the API server serve the kind of the record before anything else of this version is installed.
 */
import { contractCrd } from "../../contracts/crd.ts";
import { UpgradeRun } from "../../contracts/internal-cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { CustomResourceDefinition } from "../../kube/core-kinds.ts";
import type { World } from "../../kube/world.ts";
import { established } from "../../platform/definitions.ts";

/** Applies the definition where there is none; one that is there is left to the installation. */
export async function serveRecord(client: Client, world: World, signal: AbortSignal): Promise<void> {
  const definition = contractCrd(UpgradeRun, true);
  const { name } = definition.metadata;
  if ((await client.getMetadata(CustomResourceDefinition, name, undefined, { signal })) === undefined) {
    await client.apply(CustomResourceDefinition, definition, { signal });
  }
  await established(client, [name], world, signal);
}
