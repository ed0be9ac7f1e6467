/**
 * Tinkerbell: machines that boot over the network.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { int64, some, text, texts } from "./fields.ts";

const networkInterface = some({
  dhcp: some({
    mac: text(),
    hostname: text(),
    arch: text(),
    ip: some({ address: text(), gateway: text(), netmask: text(), family: int64() }),
    lease_time: int64(),
    name_servers: texts(),
    time_servers: texts(),
    uefi: Type.Boolean(),
  }),
  netboot: some({ allowPXE: Type.Boolean(), ipxe: some({ url: text() }) }),
});

/** A machine, by the addresses of its network interfaces. */
export const Hardware = defineContract({
  group: "tinkerbell.org",
  version: "v1alpha1",
  kind: "Hardware",
  plural: "hardware",
  shortNames: ["hw"],
  namespaced: true,
  schema: Type.Object({
    spec: some({ interfaces: Type.Array(networkInterface) }),
    status: Type.Optional(some({ state: text() })),
  }),
  // Read when the machine asks for an address.
  impact: { otherwise: "none" },
});

export const tinkerbellContracts = [Hardware] as const;
