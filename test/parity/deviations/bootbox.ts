/**
 * Where bootbox differs from upstream on purpose.
 */
import { isIP } from "node:net";
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { hasNoHost, hasNoPrefix } from "../values.ts";

const machines = (values: unknown): readonly unknown[] => {
  const list = valueAt(values, "machines");
  return Array.isArray(list) ? list : [];
};

const objectName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const macAddress = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i;

function isNoMachine(machine: unknown): boolean {
  const macs = valueAt(machine, "mac");
  const ip = valueAt(machine, "ip");
  const addresses = isRecord(ip) ? [ip["address"], ip["gateway"], ip["netmask"]] : [];
  return (
    !objectName.test(String(valueAt(machine, "hostname"))) ||
    !/^[-_A-Za-z0-9]*$/.test(String(valueAt(machine, "arch"))) ||
    Number(valueAt(machine, "leaseTime")) < 0 ||
    addresses.some((address) => isIP(String(address)) === 0) ||
    (Array.isArray(macs) && macs.some((mac) => !macAddress.test(String(mac)))) ||
    hasNoHost(valueAt(machine, "nameServers")) ||
    hasNoHost(valueAt(machine, "timeServers"))
  );
}

export const bootBox: readonly Deviation[] = [
  {
    class: "fault",
    cases: "all",
    object: "rbac.authorization.k8s.io/v1/Role/{release}-dashboard-resources",
    at: "/rules",
    reason:
      "The role no longer gives out the Secret `grafana-admin-password`, which is another application's; upstream copied it from there.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => machines(values).some(isNoMachine),
    test: "refuses a machine whose name no object can have",
    reason:
      "Machines with names, hardware addresses or addresses that are none are refused; upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => {
      const names = machines(values).map((machine) => String(valueAt(machine, "hostname")));
      return new Set(names).size < names.length;
    },
    test: "refuses machines of one name",
    reason: "Machines of one name are refused; upstream's release failed, or knew the last of them only.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => hasNoPrefix(valueAt(values, "whitelist")) || hasNoHost([valueAt(values, "host") || "none"]),
    test: "refuses a whitelist with something else than addresses",
    reason:
      "A whitelist with something else than addresses and a host that is none are refused; upstream wrote them into an annotation and into names that were refused later.",
  },
];
