/** What a user says about a Redis. */
import type { Static } from "typebox";
import {
  appSpec,
  flag,
  growOnly,
  immutable,
  oneOf,
  replicas,
  sizing,
  storageClassName,
  volumeSize,
} from "../../sdk/spec.ts";
import { versions } from "./versions.ts";

export const RedisSpec = appSpec(
  {
    replicas: replicas({ default: 2, description: "Number of Redis servers: one master, the others its copies." }),
    ...sizing({ preset: "t1.nano" }),
    size: volumeSize({
      default: "1Gi",
      none: true,
      description: "Volume of each server; it can grow. null or 0: data is kept in memory only.",
    }),
    storageClass: immutable(storageClassName()),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    version: oneOf(versions, { default: "v8", description: "Major version of the servers." }),
    authEnabled: flag({
      default: true,
      description: "Ask for a password, which is generated. Switched off and on again, it is another one.",
    }),
  },
  [growOnly("size")],
  { storesData: true },
);

export type Spec = Static<typeof RedisSpec.schema>;
