/** What a user says about an OpenBAO. */
import type { Static } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { classText } from "../../sdk/chart-texts.ts";
import {
  appSpec,
  flag,
  growOnly,
  immutable,
  replicas,
  rule,
  sizing,
  storageClassName,
  volumeSize,
} from "../../sdk/spec.ts";

/** Whether servers share what they know among them; one alone keeps it in files. */
export const isShared = ({ replicas: count }: { readonly replicas: number }): boolean => count > 1;

export const OpenBAOSpec = appSpec(
  {
    replicas: replicas({
      default: 1,
      description:
        "Number of servers. One keeps its data in files, several share it among them; neither can become the other.",
    }),
    ...sizing({ preset: "t1.small" }),
    size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
    storageClass: immutable(storageClassName({ pattern: classText })),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    ui: flag({ default: true, description: "Serve the web interface." }),
  },
  [
    rule({
      path: "replicas",
      rule: "(self > 1) == (oldSelf > 1)",
      message:
        "one server keeps its data in another way than several, and it is not carried over: order a second OpenBAO and move the secrets",
    }),
    growOnly("size"),
  ],
  { storesData: true },
);

export type Spec = Static<typeof OpenBAOSpec.schema>;
export type Input = AppInput<Spec>;
