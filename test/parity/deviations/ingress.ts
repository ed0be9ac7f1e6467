/**
 * Where ingress differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

const range = /^[0-9A-Fa-f.:]+(\/[0-9]{1,3})?$/;

export const ingress: readonly Deviation[] = [
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => Number(valueAt(values, "replicas")) < 0,
    test: "refuses a negative number of controllers",
    reason: "A negative number of controllers is refused; upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => {
      const list = valueAt(values, "whitelist");
      return Array.isArray(list) && list.some((one) => !range.test(String(one)));
    },
    test: "refuses a whitelist of what is no address",
    reason:
      "A whitelist with something else than addresses is refused; upstream's controllers ignored the whole list, and let everybody in.",
  },
];
