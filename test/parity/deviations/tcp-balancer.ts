/**
 * Where tcp-balancer differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { hasNoHost, hasNoPrefix } from "../values.ts";

const ports = (values: unknown) =>
  ["http", "https"].map((name) => Number(valueAt(values, "httpAndHttps", "targetPorts", name) ?? 80));

export const tcpBalancer: readonly Deviation[] = [
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      hasNoPrefix(valueAt(values, "whitelist")) ||
      hasNoHost(valueAt(values, "httpAndHttps", "endpoints")) ||
      hasNoHost(valueAt(values, "kubernetesAndTalos", "endpoints")) ||
      ports(values).some((port) => port < 0 || port > 65_535),
    test: "refuses a whitelist with something else than addresses",
    reason:
      "Endpoints that are no hosts, ports that are none and a whitelist with something else than addresses are refused; upstream wrote them into HAProxy's configuration, which then did not start, or said something else.",
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
