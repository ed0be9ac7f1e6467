/**
 * The gate as the API server calls it: an AdmissionReview in, an AdmissionReview out.
 */
import { CozystackError } from "../../kube/errors.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { type Amounts, BudgetInvalid, parseAmounts, readAmounts, sameAmounts } from "./amounts.ts";
import { type BudgetWrite, type Gate, NotInTree, type Verdict } from "./gate.ts";
import { isCounted } from "./keys.ts";
import { causesOf, FORCE_ANNOTATION, refusalMessage } from "./refusal.ts";

interface Status {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  readonly details?: object;
}

interface Response {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: Status;
}

export interface AdmissionReview {
  readonly apiVersion: "admission.k8s.io/v1";
  readonly kind: "AdmissionReview";
  readonly response: Response;
}

const textAt = (value: unknown, ...path: readonly string[]): string => {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : "";
};

/** The budget write in a request; undefined for a request that writes none. @throws BudgetInvalid */
export function budgetWriteOf(request: unknown): BudgetWrite | undefined {
  if (textAt(request, "subResource") !== "") return undefined;
  const [object, old] = [valueAt(request, "object"), valueAt(request, "oldObject")];
  const metadata = valueAt(object, "metadata");
  if (!isRecord(metadata) || metadata["deletionTimestamp"] !== undefined) return undefined;
  const amounts = parseAmounts(valueAt(object, "spec", "resourceQuotas"));
  const common = {
    // A generated name is in the object alone.
    name: textAt(metadata, "name"),
    namespace: textAt(request, "namespace"),
    amounts,
    force: textAt(metadata, "annotations", FORCE_ANNOTATION) === "true",
    dryRun: valueAt(request, "dryRun") === true,
  };
  checkNames(amounts, readAmounts(valueAt(old, "spec", "resourceQuotas")));
  if (!isRecord(old)) {
    const uid = textAt(metadata, "uid") || textAt(request, "uid");
    return amounts.size === 0 ? undefined : { ...common, over: { creates: uid } };
  }
  const before = readAmounts(valueAt(old, "spec", "resourceQuotas"));
  if (sameAmounts(before, amounts)) return undefined;
  const version = textAt(old, "metadata", "resourceVersion");
  return { ...common, over: { uid: textAt(old, "metadata", "uid"), version, amounts: before } };
}

/** What is new must be something that Kubernetes counts; older budgets stay as they are. @throws BudgetInvalid */
function checkNames(amounts: Amounts, before: Amounts): void {
  for (const resource of amounts.keys()) {
    if (before.has(resource) || isCounted(resource)) continue;
    throw new BudgetInvalid(
      resource,
      "Kubernetes counts nothing of this name",
      "Write it as in a ResourceQuota: cpu, memory, storage, pods, nvidia.com/gpu, count/jobs.batch.",
    );
  }
}

/** Answers one review. Never rejects: what could not be decided is refused, and says so. */
export async function reviewBudget(gate: Pick<Gate, "decide">, review: unknown): Promise<AdmissionReview> {
  const request = valueAt(review, "request");
  const answer = (allowed: boolean, status?: Status): AdmissionReview => ({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: { uid: textAt(request, "uid"), allowed, ...(status === undefined ? {} : { status }) },
  });
  try {
    const write = budgetWriteOf(request);
    if (write === undefined) return answer(true);
    const verdict = await gate.decide(write);
    return verdict.is === "admitted" ? answer(true) : answer(false, refused(write, verdict));
  } catch (error) {
    return answer(false, undecided(error));
  }
}

function refused({ name }: BudgetWrite, { shortages }: Extract<Verdict, { is: "refused" }>): Status {
  return {
    code: 422,
    reason: "Invalid",
    message: refusalMessage(shortages),
    details: { name, group: "apps.cozystack.io", kind: "Tenant", causes: causesOf(shortages) },
  };
}

function undecided(error: unknown): Status {
  const why = error instanceof CozystackError ? `${error.message}. ${error.remedy}` : String(error);
  if (error instanceof BudgetInvalid) {
    const causes = [{ reason: "FieldValueInvalid", field: error.field, message: error.message }];
    return { code: 422, reason: "Invalid", message: why, details: { causes } };
  }
  if (error instanceof NotInTree) return { code: 403, reason: "Forbidden", message: why };
  return {
    code: 503,
    reason: "ServiceUnavailable",
    message: `the budgets of tenants cannot be checked now, so none is changed: ${why}`,
    details: { retryAfterSeconds: 1 },
  };
}
