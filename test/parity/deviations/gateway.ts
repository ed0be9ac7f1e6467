/**
 * Where gateway differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

/** One of upstream's hook objects. */
const hook = (kind: string): Deviation => ({
  class: "hook",
  cases: "all",
  object: `${kind}/{release}-cleanup`,
  only: "missing",
  test: "a gateway that goes leaves no account of its issuer",
  reason: "The Job that deleted the Secret of the ACME account after the release was gone: the controller does it.",
});

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const gateway: readonly Deviation[] = [
  hook("batch/v1/Job"),
  hook("v1/ServiceAccount"),
  hook("rbac.authorization.k8s.io/v1/Role"),
  hook("rbac.authorization.k8s.io/v1/RoleBinding"),
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      list(valueAt(values, "tlsPassthroughServices")).some(
        (one) => !/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(String(one)),
      ) || !/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(String(valueAt(values, "gatewayClassName") ?? "cilium")),
    test: "refuses a service whose name is no part of a domain",
    reason:
      "A service or class whose name cannot be one is refused; upstream's controller could then not write the Gateway.",
  },
];
