/**
 * Where vm-instance differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

/** One of upstream's hook objects. */
const hook = (kind: string): Deviation => ({
  class: "hook",
  cases: "all",
  object: `${kind}/{release}-update-hook`,
  only: "missing",
  test: "before the apply: another size: the pinned revision goes in the same request",
  reason:
    "What must change before the machine can be applied is a patch that the controller sends, and a Service of another type is made anew; upstream ran a Job before each upgrade.",
});

const listOf = (values: unknown, field: string): readonly unknown[] => {
  const list = valueAt(values, field);
  return Array.isArray(list) ? list : [];
};

const twice = (items: readonly unknown[]): boolean => new Set(items).size < items.length;
const namesIn = (values: unknown, field: string) => listOf(values, field).map((item) => valueAt(item, "name"));

/** A size by number beside an instance type, which is u1.medium unless something else is said. */
function twoSizes(values: unknown): boolean {
  const { cpu, sockets, memory } = { cpu: undefined, sockets: undefined, memory: undefined, ...sizes(values) };
  return (
    valueAt(values, "instanceType") !== "" && (memory !== undefined || (cpu !== undefined && sockets !== undefined))
  );
}

function sizes(values: unknown): Readonly<Record<string, unknown>> {
  const given = valueAt(values, "resources");
  return isRecord(given) ? given : {};
}

function partOfCore(values: unknown): boolean {
  const { cpu, sockets } = { cpu: undefined, sockets: undefined, ...sizes(values) };
  return [cpu, sockets].some((value) => value !== undefined && value !== null && !/^[0-9]{1,6}$/.test(String(value)));
}

function badPorts(values: unknown): boolean {
  const ports = listOf(values, "externalPorts");
  const none = Array.isArray(valueAt(values, "externalPorts")) && ports.length === 0;
  const open = valueAt(values, "external") === true && valueAt(values, "externalMethod") !== "WholeIP";
  return (open && none) || twice(ports) || ports.some((port) => Number(port) < 1 || Number(port) > 65535);
}

const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const buses = ["virtio", "sata", "scsi", "usb", "", undefined, null];

function badAttachments(values: unknown): boolean {
  const networks = ["networks", "subnets"].map((field) => namesIn(values, field));
  return (
    [namesIn(values, "disks"), ...networks].some(
      (names) => twice(names) || names.some((name) => !label.test(String(name))),
    ) ||
    networks.flat().includes("default") ||
    listOf(values, "disks").some((disk) => !buses.some((bus) => bus === valueAt(disk, "bus")))
  );
}

const keys = (values: unknown) => listOf(values, "sshKeys").map(String);

export const vmInstance: readonly Deviation[] = [
  hook("batch/v1/Job"),
  hook("v1/ServiceAccount"),
  hook("rbac.authorization.k8s.io/v1/Role"),
  hook("rbac.authorization.k8s.io/v1/RoleBinding"),
  {
    class: "design",
    cases: "all",
    outcome: "waits",
    when: () => true,
    reason:
      "An instance type, a profile or a disk that does not exist is waited for by its name; upstream failed, and was not tried again before the next change.",
  },
  {
    class: "design",
    cases: "all",
    object: "cozystack.io/v1alpha1/WorkloadMonitor/{release}",
    at: "/spec/minReplicas",
    becomes: 0,
    when: (values) => valueAt(values, "runStrategy") === "Halted",
    reason: "A machine that is to be halted is operational without a pod; upstream's showed as failed.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: twoSizes,
    test: "refuses two sizes",
    reason:
      "An instance type together with a size by number is refused; upstream rendered both, which KubeVirt refuses.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: partOfCore,
    test: "refuses half a core",
    reason: "Cores and sockets that are no whole numbers are refused; upstream took them as 0.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: badPorts,
    test: "refuses no port on an external address",
    reason:
      "No port, a port twice or a port that is none is refused; upstream rendered a Service that Kubernetes refuses.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: badAttachments,
    test: "refuses a disk twice",
    reason:
      "A disk or network that is listed twice, has no usable name, the name of the pod network, or a bus that does not exist is refused; KubeVirt refuses the machine that upstream renders.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => keys(values).some((key) => !/^[^\r\n]+[\r\n]*$/.test(key)),
    test: "refuses a key of two lines",
    reason: "An SSH key is one line: a second one would be another key.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: "v1/Secret/{release}-cloud-init",
    at: "/stringData/userdata",
    only: "differs",
    when: (values) => keys(values).some((key) => /["\\\r\n]/.test(key)),
    test: "property: the document holds exactly the keys, whatever is in them",
    reason:
      "Quotes and backslashes of an SSH key are escaped, the end of its line is left out; upstream's document was another one, or none.",
  },
];
