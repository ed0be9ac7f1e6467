/** What an administrator says about the BootBox. */
import { type Static, Type } from "typebox";
import { host, hostPattern, hostRule, mostAddresses, prefix, prefixRule } from "../../sdk/addresses.ts";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, flag, integer, listOf, open, rule, text } from "../../sdk/spec.ts";

/** Names of machines are names of objects. */
const hostName = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

const ip = (description: string) =>
  text({ required: true, pattern: "^[0-9A-Fa-f]*[.:][0-9A-Fa-f.:]*$", maxLength: 45, description });

const servers = (description: string) => listOf(host, { optional: true, maxItems: 16, description });

const machine = open({
  hostname: text({ required: true, pattern: hostName, maxLength: 253, description: "Name, unique among them." }),
  arch: text({ required: true, pattern: "^[-_A-Za-z0-9]*$", maxLength: 63, description: "Processor, such as x86_64." }),
  ip: open(
    {
      address: ip("Address of the machine."),
      gateway: ip("Its router."),
      netmask: ip("Mask of its network, such as 255.255.255.0."),
      family: integer({ minimum: 0, description: "4 or 6; absent: as the address says." }),
    },
    { description: "What it is told about its network." },
  ),
  leaseTime: integer({ required: true, minimum: 0, description: "How long it may keep the address, in seconds." }),
  mac: listOf(Type.String({ pattern: "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$", maxLength: 17 }), {
    optional: true,
    maxItems: 16,
    description: "Hardware addresses of its network interfaces. Without one it is not known when it asks.",
  }),
  nameServers: servers("DNS servers."),
  timeServers: servers("NTP servers."),
  uefi: flag({ required: true, description: "Whether it boots by UEFI." }),
});

export const BootBoxSpec = appSpec(
  {
    whitelistHTTP: flag({ default: true, description: "Only addresses in `whitelist` may read what machines boot." }),
    whitelist: listOf(prefix, {
      maxItems: mostAddresses,
      description: "Addresses and prefixes that may. Empty: nobody, where it is asked for.",
    }),
    machines: listOf(machine, { maxItems: 1000, description: "The machines." }),
    host: text({
      maxLength: 253,
      pattern: `^$|${hostPattern}`,
      description: "Domain to be published below, as `bootbox.<host>`. Absent or empty: the root tenant's.",
    }),
  },
  [
    prefixRule("whitelist"),
    hostRule("machines.*.nameServers"),
    hostRule("machines.*.timeServers"),
    rule({
      path: "machines.*.ip",
      rule: "isIP(self.address) && isIP(self.gateway) && isIP(self.netmask)",
      message: "address, gateway and netmask of a machine must be addresses",
    }),
  ],
);

export type Spec = Static<typeof BootBoxSpec.schema>;
export type Input = AppInput<Spec>;
