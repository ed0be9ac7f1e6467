/** What a user says about a NATS. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import type { Json } from "../../sdk/context.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  mapOf,
  open,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { tlsField } from "../../sdk/tls.ts";
import { rules, userName } from "./rules.ts";

/** Any fields: they go into a file of the servers' as they are. */
const settings = (description: string) =>
  Type.Unsafe<Readonly<Record<string, Json>>>({
    type: "object",
    "x-kubernetes-preserve-unknown-fields": true,
    default: {},
    description,
  });

export const NATSSpec = appSpec(
  {
    replicas: replicas({ default: 2, description: "Number of servers. The volume of one that goes is deleted." }),
    ...sizing({ preset: "t1.nano" }),
    storageClass: immutable(storageClassName()),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    tls: tlsField(),
    users: mapOf(
      open({
        password: text({
          maxLength: 1024,
          description: "Password; generated where it is absent or empty.",
        }),
      }),
      { maxProperties: 500, keyPattern: userName, description: "Users by name. With none, everybody may connect." },
    ),
    jetstream: group(
      {
        enabled: immutable(flag({ default: true, description: "Keep messages on volumes." })),
        size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
      },
      { description: "JetStream, which keeps messages." },
    ),
    config: group(
      {
        merge: settings("Settings laid over the servers' configuration."),
        resolver: settings("The resolver of accounts."),
      },
      { description: "Configuration of the servers, as the NATS chart has it." },
    ),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof NATSSpec.schema>;
export type Input = AppInput<Spec>;
