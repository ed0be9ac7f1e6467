/**
 * The status of an ApplicationDefinition: whether its kind is served, and what is to be done about it otherwise.
 */
import { ApplicationDefinition, type Definition } from "../../contracts/application-definition.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import type { Store } from "../../kube/store.ts";
import type { DefinitionProblem } from "../../sdk/external/served.ts";

/** Whether the kind is served as the definition says. */
export interface Standing {
  /** The kind answers, perhaps with an older schema. */
  readonly served: boolean;
  readonly problem?: { readonly reason: DefinitionProblem["reason"] | ServingReason; readonly message: string };
  /** Applications that keep the definition from going. */
  readonly instances?: number;
}

export type ServingReason = "SchemaRefused" | "NamesNotAccepted" | "InstancesDoNotFit" | "InUse" | "Leaving";

const longest = 4_000;

function statusOf(definition: Definition, standing: Standing, now: string) {
  const { generation = 0 } = definition.metadata;
  const { plural } = definition.spec.application;
  const before = definition.status?.conditions ?? [];
  const { served, problem } = standing;
  const condition = (type: "Ready" | "Served", isTrue: boolean, reason: string, message: string) => {
    const status = isTrue ? ("True" as const) : ("False" as const);
    const old = before.find((each) => each.type === type);
    const lastTransitionTime = old?.status === status ? old.lastTransitionTime : now;
    return {
      type,
      status,
      reason,
      message: message.slice(0, longest),
      lastTransitionTime,
      observedGeneration: generation,
    };
  };
  const says = served ? `${plural}.apps.cozystack.io is served` : "the kind is not served";
  return {
    observedGeneration: generation,
    ...(standing.instances === undefined ? {} : { instances: standing.instances }),
    conditions: [
      problem === undefined
        ? condition("Ready", true, "Served", says)
        : condition("Ready", false, problem.reason, `${problem.message} (${says})`),
      condition("Served", served, served ? "Served" : (problem?.reason ?? "NotServed"), says),
    ],
  };
}

/** Writes the status where it says something new. */
export async function writeStanding(
  client: Client,
  store: Store<Definition>,
  definition: Definition,
  standing: Standing,
  now: string,
): Promise<void> {
  const status = statusOf(definition, standing, now);
  const { observedGeneration, instances, conditions } = definition.status ?? {};
  const held = { observedGeneration, ...(instances === undefined ? {} : { instances }), conditions };
  if (textOf(held) === textOf(status)) return;
  const { name, uid } = definition.metadata;
  const patch = { metadata: { uid }, status: { ...status, instances: standing.instances ?? null } };
  try {
    store.assume(await client.mergePatch(ApplicationDefinition, name, undefined, patch, { subresource: "status" }));
  } catch (error) {
    // Gone meanwhile, or another of its name.
    if (!isApiError(error, "NotFound", "Conflict")) throw error;
  }
}

/** Order of keys is the API server's. */
function textOf(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}
