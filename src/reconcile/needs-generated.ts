/**
 * Secrets with generated values: made once, read back ever after, made anew only when asked to.
 */
import { Secret } from "../kube/core-kinds.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import type { GeneratedSecret, NeedRequest } from "../sdk/needs.ts";
import { ROTATED_ANNOTATION } from "./body.ts";
import type { InventoryRecord } from "./inventory-record.ts";
import { OWNER_ANNOTATION, ownershipOf, ownerToken } from "./owner.ts";
import { type ObjectProblem, problemOf } from "./problem.ts";
import { refIn, type View } from "./view.ts";

type GeneratedRequest = Extract<NeedRequest, { readonly type: "generated" }>;

export interface GeneratedOptions {
  readonly instance: ObjectRef & { readonly uid: string };
  readonly inventory: InventoryRecord;
  /** Cryptographically random bytes. */
  readonly randomBytes: (count: number) => Uint8Array;
  /** `apps.cozystack.io/rotate` of the application. */
  readonly rotate?: string;
  /** Whether a Secret of nobody may be taken over. */
  readonly mayAdopt: (live: KubeObject) => boolean;
  /** Values made in earlier passes for Secrets that do not exist yet, by key of the Secret. Written to. */
  readonly pending: Map<string, Readonly<Record<string, string>>>;
}

export interface GeneratedAnswer extends GeneratedSecret {
  readonly is: "generated";
  readonly live: KubeObject | undefined;
  /** Keys that exist and are made anew by this pass. */
  readonly rotated: ReadonlySet<string>;
  /** What the Secret must say about rotation. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Values of one Secret. `refused` when it is somebody else's, or was ours and is gone. */
export async function answerGenerated(
  view: View,
  request: GeneratedRequest,
  namespace: string,
  options: GeneratedOptions,
): Promise<GeneratedAnswer | { readonly is: "refused"; readonly problem: ObjectProblem }> {
  const ref = refIn(Secret, request.name, namespace);
  const { inventory, pending, rotate } = options;
  const entry = inventory.entries.get(keyOf(ref));
  // A store may be late. That what was planned or made before is not there must be said by the API server itself. What was
  // never planned is written by a request that it refuses where there is one after all, before anything is made of the values.
  const ask = () => (entry === undefined ? undefined : view.fresh(Secret, request.name, namespace));
  const live = (await view.read(Secret, request.name, namespace)) ?? (await ask());
  if (live !== undefined) {
    pending.delete(keyOf(ref));
    if (!isUsable(live, ref, options)) return { is: "refused", problem: problemOf(ref, "ForeignObject") };
    return fromLive(live, request, options);
  }
  const asked = rotate !== undefined && rotate !== inventory.rotated;
  if (entry?.ref.uid !== undefined && entry.inherited !== true && !asked) {
    return { is: "refused", problem: problemOf(ref, "SecretLost") };
  }
  const made = pending.get(keyOf(ref)) ?? {};
  const values = { ...generate(request, Object.keys(request.values), options), ...made };
  pending.set(keyOf(ref), values);
  return {
    is: "generated",
    name: request.name,
    values,
    existing: new Set(),
    live: undefined,
    rotated: new Set(),
    annotations: rotate === undefined ? {} : { [ROTATED_ANNOTATION]: rotate },
  };
}

function isUsable(live: KubeObject, ref: ObjectRef, options: GeneratedOptions): boolean {
  const ownership = ownershipOf(live, ref, options.instance);
  if (ownership === "ours" || ownership === "retained") return true;
  const mark = live.metadata.annotations?.[OWNER_ANNOTATION];
  if (ownership === "foreign") return options.inventory.formerUids.some((uid) => mark === ownerToken(uid, ref));
  return options.mayAdopt(live);
}

function fromLive(live: KubeObject, request: GeneratedRequest, options: GeneratedOptions): GeneratedAnswer {
  const data = valueAt(live, "data");
  const stored = isRecord(data) ? data : {};
  const values = Object.fromEntries(
    Object.entries(stored).map(([key, value]) => [key, Buffer.from(String(value), "base64").toString("utf8")]),
  );
  const recorded = live.metadata.annotations?.[ROTATED_ANNOTATION];
  const rotating = options.rotate !== undefined && options.rotate !== recorded;
  const existing = new Set(Object.keys(values));
  const rotated = new Set(rotating ? request.rotate.filter((key) => existing.has(key)) : []);
  const missing = Object.keys(request.values).filter((key) => !existing.has(key));
  const now = options.rotate ?? recorded;
  return {
    is: "generated",
    name: request.name,
    values: { ...values, ...generate(request, [...missing, ...rotated], options) },
    existing,
    live,
    rotated,
    annotations: now === undefined ? {} : { [ROTATED_ANNOTATION]: now },
  };
}

function generate(
  request: GeneratedRequest,
  keys: readonly string[],
  { randomBytes }: GeneratedOptions,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    keys.flatMap((key) => {
      const make = request.values[key];
      return make === undefined ? [] : [[key, make(randomBytes)]];
    }),
  );
}
