/** What a user says about a RabbitMQ. */
import type { Static } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { roleMembers } from "../../sdk/role-members.ts";
import {
  appSpec,
  flag,
  immutable,
  mapOf,
  oneOf,
  open,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { entryName, rules } from "./rules.ts";
import { versions } from "./versions.ts";

const user = open({
  password: text({ maxLength: 1024, description: "Password; generated where it is absent or empty." }),
});

const vhost = open({
  roles: roleMembers({
    name: { pattern: entryName, maxLength: 253 },
    admin: "Users that may configure, write and read everything.",
    readonly: "Users that may read everything.",
    description: "Who may use the virtual host.",
  }),
});

export const RabbitMQSpec = appSpec(
  {
    replicas: replicas({ default: 3, description: "Number of servers. It can grow, but not shrink." }),
    ...sizing({ preset: "t1.nano" }),
    size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
    storageClass: immutable(storageClassName()),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    version: oneOf(versions, { default: "v4.2", description: "Version of the servers." }),
    users: mapOf(user, { maxProperties: 500, keyPattern: entryName, description: "Users by name." }),
    vhosts: mapOf(vhost, {
      maxProperties: 500,
      keyPattern: entryName,
      description: "Virtual hosts by name. One that is removed here is deleted with its queues.",
    }),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof RabbitMQSpec.schema>;
export type Input = AppInput<Spec>;
