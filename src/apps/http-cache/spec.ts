/** What a user says about an HTTPCache. */
import type { Static } from "typebox";
import { endpoint, mostAddresses, prefix } from "../../sdk/addresses.ts";
import type { AppInput } from "../../sdk/app.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  integer,
  listOf,
  replicas,
  sizing,
  storageClassName,
  volumeSize,
} from "../../sdk/spec.ts";
import { mostServers, rules } from "./rules.ts";

export const HTTPCacheSpec = appSpec(
  {
    size: volumeSize({ default: "10Gi", description: "Volume of each nginx server; it can grow." }),
    storageClass: immutable(storageClassName()),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    endpoints: listOf(endpoint, {
      maxItems: mostAddresses,
      description: "Origins, as host and port. Without any, requests are answered with an error.",
    }),
    haproxy: group(
      { replicas: replicas({ default: 2, description: "Number of HAProxy pods." }), ...sizing({ preset: "t1.nano" }) },
      { description: "HAProxy, which sends requests for one address to the same nginx server." },
    ),
    nginx: group(
      {
        replicas: replicas({
          default: 2,
          maximum: mostServers,
          description: "Number of nginx servers. Each runs on another node, and has a volume that goes with it.",
        }),
        ...sizing({ preset: "t1.nano" }),
      },
      { description: "The nginx servers, which keep what origins answer." },
    ),
    whitelistHTTP: flag({ description: "Only addresses in `whitelist` may connect." }),
    whitelist: listOf(prefix, {
      optional: true,
      maxItems: mostAddresses,
      description: "Addresses and prefixes that may connect. Empty: nobody, where it is asked for.",
    }),
    replicas: integer({
      minimum: 0,
      description: "Shown by the application's own monitor; how many pods run is said by `haproxy` and `nginx`.",
    }),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof HTTPCacheSpec.schema>;
export type Input = AppInput<Spec>;
