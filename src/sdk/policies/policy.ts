/**
 * How an admission policy of ours is made: rules that need the object's name, its old form or the caller, which a CRD's own
 * rules cannot see. The API server evaluates them itself, so that no server of ours can be down.
 */
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../kube/core-kinds.ts";

type Operation = "CREATE" | "UPDATE" | "DELETE";

export interface ResourceRule {
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly operations: readonly Operation[];
  /** `*` is every resource without its subresources, `*` + `/status` the status of every resource. */
  readonly resources: readonly string[];
  /** Only objects of these names. Absent: all. */
  readonly resourceNames?: readonly string[];
}

/** A policy and the binding that puts it in force everywhere. */
export interface BoundPolicy {
  readonly policy: ValidatingAdmissionPolicy;
  readonly binding: ValidatingAdmissionPolicyBinding;
}

/**
 * A policy that denies. It fails closed: a rule that could not be evaluated refuses the request.
 * @param paramRef the objects that it is evaluated with, one after the other, where it has a `paramKind`
 */
export function policy(
  name: string,
  spec: Omit<ValidatingAdmissionPolicy["spec"], "failurePolicy">,
  paramRef?: ValidatingAdmissionPolicyBinding["spec"]["paramRef"],
): BoundPolicy {
  return {
    policy: ValidatingAdmissionPolicy(name, { spec: { failurePolicy: "Fail", ...spec } }),
    binding: ValidatingAdmissionPolicyBinding(name, {
      spec: { policyName: name, validationActions: ["Deny"], ...(paramRef === undefined ? {} : { paramRef }) },
    }),
  };
}

/** Every application kind. */
export function applications(operations: readonly Operation[], resources: readonly string[] = ["*"]): ResourceRule {
  return { apiGroups: ["apps.cozystack.io"], apiVersions: ["*"], operations, resources };
}

/** A text, or a list of texts, as a CEL literal. */
export function celText(value: string): string {
  return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}
export function celList(values: readonly string[]): string {
  return `[${values.map(celText).join(", ")}]`;
}
