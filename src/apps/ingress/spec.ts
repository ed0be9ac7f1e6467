/** What a user says about an ingress controller. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, flag, listOf, replicas, sizing } from "../../sdk/spec.ts";
import { rules } from "./rules.ts";

/** An address or a range of addresses. */
const range = Type.String({ pattern: "^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$", maxLength: 64 });

export const IngressSpec = appSpec(
  {
    replicas: replicas({ default: 2, description: "Number of controllers." }),
    whitelist: listOf(range, {
      maxItems: 1000,
      description: "Who may connect: addresses or ranges such as 10.0.0.0/8. Empty: everybody.",
    }),
    cloudflareProxy: flag({
      default: false,
      description: "Clients come through Cloudflare: their addresses are taken from its header.",
    }),
    proxyProtocol: flag({
      default: false,
      description:
        "The load balancer in front speaks the PROXY protocol. Platform-wide for the platform's own ingress.",
    }),
    ...sizing({ preset: "t1.micro" }),
  },
  rules,
);

export type Spec = Static<typeof IngressSpec.schema>;
export type Input = AppInput<Spec>;
