/** What a user says about etcd. */
import type { Static } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { amounts, appSpec, immutable, replicas, storageClassName, text, volumeSize } from "../../sdk/spec.ts";
import { rules, versionPattern } from "./rules.ts";

export const EtcdSpec = appSpec(
  {
    version: text({
      default: "3.6.11",
      pattern: versionPattern,
      maxLength: 32,
      description: "Version of the servers. Members that exist keep theirs until they are replaced.",
    }),
    size: volumeSize({
      default: "4Gi",
      description: "Volume of each member, in Ki, Mi or Gi; it can grow. 95 % of it may be used.",
    }),
    storageClass: immutable(storageClassName()),
    replicas: replicas({ default: 3, description: "Number of members, which should be odd. 0 parks the cluster." }),
    resources: amounts({ cpu: "1000m", memory: "512Mi" }, "cpu and memory of each member."),
  },
  rules,
);

export type Spec = Static<typeof EtcdSpec.schema>;
export type Input = AppInput<Spec>;
