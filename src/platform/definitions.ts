/**
 * The definitions of every kind the platform serves.
 */
import { contractCrd, servedFromContract } from "../contracts/crd.ts";
import { contractKinds, ownKinds } from "../contracts/index.ts";
import type { Client } from "../kube/client.ts";
import { CozystackError } from "../kube/errors.ts";
import { CustomResourceDefinition } from "../kube/kinds/extension.ts";
import type { KubeObject } from "../kube/object.ts";
import type { World } from "../kube/world.ts";
import type { App } from "../sdk/app.ts";

/** Our own kinds and the applications'. */
export function ownDefinitions(apps: readonly App[]): readonly KubeObject[] {
  return [...ownKinds.map((kind) => contractCrd(kind, true)), ...apps.map((app) => app.crd())];
}

/**
 * Definitions of other people's kinds, for a cluster where their operators are played. One that came from somewhere else
 * is left alone: it is the operator's, and knows more than ours.
 */
export async function playedDefinitions(client: Client): Promise<readonly KubeObject[]> {
  const ours = new Set<unknown>(ownKinds);
  const { items } = await client.listMetadata(CustomResourceDefinition);
  const foreign = new Set(
    items
      .filter(({ metadata }) => metadata.labels?.[servedFromContract] !== "true")
      .map(({ metadata }) => metadata.name),
  );
  return contractKinds
    .filter((kind) => !ours.has(kind))
    .map((kind) => contractCrd(kind, false))
    .filter((definition) => !foreign.has(definition.metadata.name));
}

const ESTABLISHED_WITHIN_MS = 60_000;
const POLL_MS = 50;

/** The API server does not serve kinds that it was told to. */
export class NotEstablished extends CozystackError {
  constructor(names: readonly string[], seconds: number) {
    super(
      "NotEstablished",
      `after ${seconds} s the API server does not serve: ${names.join(", ")}`,
      "Look at the conditions of these CustomResourceDefinitions; another one may have taken their names.",
    );
  }
}

/** Resolves when all of them are served. */
export async function established(
  client: Client,
  names: readonly string[],
  world: World,
  signal?: AbortSignal,
): Promise<void> {
  const until = world.monotonic() + ESTABLISHED_WITHIN_MS;
  const call = signal === undefined ? {} : { signal };
  for (let left = [...names]; left.length > 0; ) {
    const found = await Promise.all(left.map((name) => client.get(CustomResourceDefinition, name, undefined, call)));
    left = left.filter(
      (_, index) =>
        !(found[index]?.status?.conditions ?? []).some(
          ({ type, status }) => type === "Established" && status === "True",
        ),
    );
    if (left.length === 0) return;
    if (world.monotonic() > until) throw new NotEstablished(left, ESTABLISHED_WITHIN_MS / 1000);
    await world.sleep(POLL_MS, signal);
  }
}
