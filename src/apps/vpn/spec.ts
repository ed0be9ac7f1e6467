/** What a user says about a VPN. */
import type { Static } from "typebox";
import { address, addressRule, hostPattern } from "../../sdk/addresses.ts";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, flag, listOf, mapOf, open, replicas, rule, sizing, text } from "../../sdk/spec.ts";

/** Users are keys of a Secret. */
const userName = "^([-_a-zA-Z0-9]|[.][-_a-zA-Z0-9])[-._a-zA-Z0-9]{0,251}$";

export const hostMessage = "host is neither a host's name nor an address; the port is always 40000";

export const VPNSpec = appSpec(
  {
    replicas: replicas({ default: 2, description: "Number of servers." }),
    ...sizing({ preset: "t1.nano" }),
    external: flag({
      default: false,
      description: "Send connections to servers of the node they arrive at, so that clients' addresses are seen.",
    }),
    host: text({
      default: "",
      maxLength: 253,
      pattern: `^$|${hostPattern}`,
      description: "Name or address that users connect to. Empty: the application's name below the tenant's host.",
    }),
    users: mapOf(
      open({ password: text({ maxLength: 1024, description: "Password; generated where it is absent or empty." }) }),
      {
        maxProperties: 500,
        keyPattern: userName,
        description: "Users by name. Each has a key, which opens the VPN to whoever knows it.",
      },
    ),
    externalIPs: listOf(address, {
      maxItems: 64,
      description: "Addresses of nodes to be reached at, instead of a load balancer's.",
    }),
  },
  [rule({ path: "host", rule: "!self.contains(':') || isIP(self)", message: hostMessage }), addressRule("externalIPs")],
);

export type Spec = Static<typeof VPNSpec.schema>;
export type Input = AppInput<Spec>;
