/**
 * Whether a cluster's operators and machines are played by the twin: then their kinds are served from our own definitions.
 */
import { servedFromContract } from "../contracts/crd.ts";
import type { Client } from "../kube/client.ts";
import { CustomResourceDefinition } from "../kube/core-kinds.ts";

/** See above. */
export async function isPlayed(client: Client): Promise<boolean> {
  const { items } = await client.listMetadata(CustomResourceDefinition);
  return items.some(({ metadata }) => metadata.labels?.[servedFromContract] === "true");
}
