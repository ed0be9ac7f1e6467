/**
 * Where vpn differs from upstream on purpose.
 */
import { isIP } from "node:net";
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { hasNoHost } from "../values.ts";

const userNames = (values: unknown): readonly string[] => {
  const users = valueAt(values, "users");
  return isRecord(users) ? Object.keys(users) : [];
};

const userName = /^([-_a-zA-Z0-9]|[.][-_a-zA-Z0-9])[-._a-zA-Z0-9]{0,251}$/;

function addresses(values: unknown): readonly string[] {
  const list = valueAt(values, "externalIPs");
  return Array.isArray(list) ? list.map(String) : [];
}

export const vpn: readonly Deviation[] = [
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      userNames(values).some((name) => !userName.test(name)) || addresses(values).some((one) => isIP(one) === 0),
    test: "refuses a user's name with a space",
    reason:
      "A user whose name cannot be a key of a Secret and addresses that are none are refused; upstream failed in the middle of installing.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => hasNoHost([valueAt(values, "host") || "none"]),
    test: "refuses a host with a port",
    reason: "A host that is neither a name nor an address is refused; upstream made URLs of it that lead nowhere.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values, { namespace }) =>
      namespace?.["host"] === "" && userNames(values).length > 0 && !valueAt(values, "host"),
    test: "refuses users without any host to connect to",
    reason: "Users are refused while neither the application nor its tenant has a host; upstream's URLs led nowhere.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => Number(valueAt(values, "replicas")) < 0,
    test: "refuses a negative number of replicas",
    reason: "A negative number of replicas is refused; upstream's release failed.",
  },
];
