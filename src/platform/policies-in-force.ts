/** Stores the admission policies, and waits until the API server acts on them. */
import type { Client } from "../kube/client.ts";
import { CozystackError, isApiError } from "../kube/errors.ts";
import { ConfigMap } from "../kube/kinds/core.ts";
import type { KubeObject } from "../kube/object.ts";
import type { World } from "../kube/world.ts";
import { digestOf } from "../reconcile/digest.ts";
import { inForce, inForceProbe } from "../sdk/policies/in-force.ts";

const WITHIN_MS = 60_000;
const POLL_MS = 50;

/** The API server does not act on the policies that it was given. */
export class PoliciesNotInForce extends CozystackError {
  constructor(seconds: number, names: string) {
    super(
      "PoliciesNotInForce",
      `after ${seconds} s the API server does not act on the admission policies; a ConfigMap ${names} should be refused`,
      "Look whether the API server evaluates ValidatingAdmissionPolicies (it does from 1.30 on), and at its log.",
    );
  }
}

/** What is to be stored after all `policies`, so that {@link policiesInForce} can see them. */
export function inForceObjects(policies: readonly KubeObject[]): readonly KubeObject[] {
  const { policy, binding } = inForce(digestOf(policies));
  return [policy, binding];
}

/**
 * Resolves when the API server that answers acts on exactly these policies. Where several API servers answer, the others
 * follow within about a second.
 * @throws PoliciesNotInForce after a minute
 */
export async function policiesInForce(
  client: Client,
  policies: readonly KubeObject[],
  world: World,
  signal?: AbortSignal,
): Promise<void> {
  const said = `policies ${digestOf(policies)}`;
  const { name, namespace } = inForceProbe.metadata;
  const until = world.monotonic() + WITHIN_MS;
  while (!(await refuses(client, said, signal))) {
    if (world.monotonic() > until) throw new PoliciesNotInForce(WITHIN_MS / 1000, `${namespace}/${name}`);
    await world.sleep(POLL_MS, signal);
  }
}

async function refuses(client: Client, said: string, signal?: AbortSignal): Promise<boolean> {
  try {
    await client.create(ConfigMap, inForceProbe, { dryRun: true, ...(signal === undefined ? {} : { signal }) });
    return false;
  } catch (error) {
    if (!isApiError(error, "Invalid")) throw error;
    return error.message.includes(said);
  }
}
