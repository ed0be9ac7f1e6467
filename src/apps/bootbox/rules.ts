/** What is refused of a BootBox in documents that the API server has not seen, and where there can be one. */
import { isIP } from "node:net";
import { checkHosts, checkPrefixes } from "../../sdk/addresses.ts";
import { refuse } from "../../sdk/errors.ts";
import { checkModuleName } from "../../sdk/module-name.ts";
import type { Input, Spec } from "./spec.ts";

/** The only namespace that machines are booted from: who does, owns the machines. */
const root = "tenant-root";

type Machine = Spec["machines"][number];

function checkMachine(machine: Machine, field: string): void {
  const { address, gateway, netmask } = machine.ip;
  if ([address, gateway, netmask].some((one) => isIP(one) === 0)) {
    refuse({
      code: "InvalidValue",
      field: `${field}.ip`,
      message: "address, gateway and netmask of a machine must be addresses",
      remedy: "Correct them.",
    });
  }
  checkHosts(machine.nameServers ?? [], `${field}.nameServers`);
  checkHosts(machine.timeServers ?? [], `${field}.timeServers`);
}

export function check({ name, namespace, spec }: Input): void {
  checkModuleName(name, "bootbox");
  if (namespace !== root) {
    refuse({
      code: "InvalidValue",
      field: "metadata.namespace",
      message: `the installation has one BootBox, in ${root}`,
      remedy: `Order it in ${root}.`,
    });
  }
  checkPrefixes(spec.whitelist, "spec.whitelist");
  for (const [at, machine] of spec.machines.entries()) checkMachine(machine, `spec.machines[${at}]`);
}
