/** What a user says about a TCPBalancer. */
import { type Static, Type } from "typebox";
import { host, hostRule, mostAddresses, prefix, prefixRule } from "../../sdk/addresses.ts";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, flag, group, integer, listOf, oneOf, open, replicas, sizing } from "../../sdk/spec.ts";

const modes = ["tcp", "tcp-with-proxy"] as const;

const targetPort = (port: number, what: string) =>
  integer({
    default: port,
    minimum: 0,
    maximum: 65_535,
    description: `Port of the endpoints for ${what}. 0: none is forwarded.`,
  });

export const TCPBalancerSpec = appSpec(
  {
    replicas: replicas({ default: 2, description: "Number of HAProxy pods." }),
    ...sizing({ preset: "t1.nano" }),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    httpAndHttps: group(
      {
        mode: oneOf(modes, {
          default: "tcp",
          description: "`tcp-with-proxy`: endpoints are told the client's address by the PROXY protocol.",
        }),
        targetPorts: group(
          { http: targetPort(80, "port 80"), https: targetPort(443, "port 443") },
          { description: "Ports of the endpoints." },
        ),
        endpoints: listOf(host, { maxItems: mostAddresses, description: "Hosts that connections are handed on to." }),
      },
      { description: "What arrives at ports 80 and 443." },
    ),
    kubernetesAndTalos: Type.Optional(
      open(
        {
          mode: oneOf(["", ...modes], { description: "As `httpAndHttps.mode`. Empty: `tcp`." }),
          endpoints: listOf(host, {
            optional: true,
            maxItems: mostAddresses,
            description: "Control plane nodes.",
          }),
        },
        {
          description:
            "What arrives at ports 6443 (Kubernetes) and 50000 (Talos), always from addresses in `whitelist` only.",
        },
      ),
    ),
    whitelistHTTP: flag({ default: false, description: "Ports 80 and 443 from addresses in `whitelist` only." }),
    whitelist: listOf(prefix, {
      maxItems: mostAddresses,
      description: "Addresses and prefixes that may connect. Empty: nobody, where it is asked for.",
    }),
  },
  [prefixRule("whitelist"), hostRule("httpAndHttps.endpoints"), hostRule("kubernetesAndTalos.endpoints")],
);

export type Spec = Static<typeof TCPBalancerSpec.schema>;
export type Input = AppInput<Spec>;
