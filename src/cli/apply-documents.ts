/**
 * Applies planned documents in order, each with the consent that its plan needs.
 */
import { isApiError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";
import { systemWorld } from "../kube/world.ts";
import { unconfirmedHash } from "../reconcile/plan-prune.ts";
import { requestAnnotations } from "../reconcile/prepare.ts";
import type { Target } from "./cluster.ts";
import type { Followed } from "./follow.ts";
import type { PlannedDocument } from "./planner.ts";
import { refusedObject } from "./refused.ts";

export interface ApplyOptions {
  readonly target: Target;
  /** Milliseconds to wait for a namespace that an earlier document brings. */
  readonly patience: number;
  /** Hashes that people gave with their word. What the plans themselves ask for is taken as granted. */
  readonly consents: readonly string[];
  readonly signal?: AbortSignal;
  /** Told after each document how many are applied. */
  readonly onApplied?: (count: number) => void;
}

/** How often a namespace on its way is tried again. */
const RETRY_MS = 250;

/** Applies all; gives the applications among them, to follow. */
export async function applyDocuments(
  planned: readonly PlannedDocument[],
  options: ApplyOptions,
): Promise<readonly Followed[]> {
  const followed: Followed[] = [];
  for (const [at, one] of planned.entries()) {
    const stored = await applyOne(one, options);
    options.onApplied?.(at + 1);
    const { app } = one;
    if (app === undefined) continue;
    const { name, namespace = "", generation } = stored.metadata;
    followed.push({ app, name, namespace, ...(generation === undefined ? {} : { generation }) });
  }
  return followed;
}

async function applyOne(
  one: PlannedDocument,
  { target, patience, consents, signal }: ApplyOptions,
): Promise<KubeObject> {
  const object = withConsent(one, consents);
  const deadline = systemWorld.monotonic() + patience;
  for (;;) {
    try {
      return await target.client.apply(one.kind, object, signal === undefined ? {} : { signal });
    } catch (error) {
      const isComing = one.live === undefined && isApiError(error, "NotFound") && one.kind.namespaced;
      if (!isComing || systemWorld.monotonic() > deadline) throw refusedObject(object, error, one.document);
      await systemWorld.sleep(RETRY_MS, signal);
    }
  }
}

/** The hash of what is lost by a plan, as the annotation that allows it. */
function withConsent({ object, prepared, told }: PlannedDocument, consents: readonly string[]): KubeObject {
  const { confirm, unconfirmed = told?.inherited ?? [] } =
    prepared?.is === "planned" ? prepared.plan : { confirm: told?.confirm };
  const inherited = unconfirmedHash(unconfirmed);
  const hash = confirm ?? (inherited !== undefined && consents.includes(inherited) ? inherited : undefined);
  if (hash === undefined) return object;
  const annotations = { ...object.metadata.annotations, [requestAnnotations.allowDataLoss]: hash };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
