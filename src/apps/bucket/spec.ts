/** What a user says about a bucket. */
import type { Static } from "typebox";
import { appSpec, flag, immutable, mapOf, open, rule, text } from "../../sdk/spec.ts";

/** Users are parts of names of Kubernetes objects: `<release>-<user>-credentials`. */
const userName = "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$";

export const BucketSpec = appSpec(
  {
    locking: immutable(
      flag({
        default: false,
        description: "Keep versions of objects under a lock. Such a bucket outlives its application.",
      }),
    ),
    storagePool: immutable(
      text({
        default: "",
        maxLength: 63,
        pattern: "^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$",
        description: "Pool of the object storage. Empty: its default pool.",
        options: "storagepool",
      }),
    ),
    users: mapOf(open({ readonly: flag({ description: "The user may read but not write." }) }), {
      maxProperties: 100,
      keyPattern: userName,
      description: "Users, each with keys of its own.",
    }),
  },
  [
    rule({
      path: "users",
      rule: "self.all(user, !((user + '-credentials') in self))",
      message:
        "users x and x-credentials cannot both exist: their Secrets would have the same name; rename one of them",
    }),
  ],
  { storesData: true },
);

export type Spec = Static<typeof BucketSpec.schema>;
