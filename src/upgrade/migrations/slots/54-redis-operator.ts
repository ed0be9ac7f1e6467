/**
 * 54: Redis under another operator, which sees what is labelled as its own and runs another version unless told.
 */
import { valueAt } from "../../../kube/json.ts";
import type { KubeObject } from "../../../kube/object.ts";
import { RedisFailover } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editEach, label } from "../steps.ts";
import type { Edit } from "../writes.ts";

/** What ran where nothing was said. Its dumps cannot be read back by what the new operator would run. */
const image = "redis:6.2.6-alpine";

function edits(failover: KubeObject): readonly Edit[] {
  const images = ["redis", "sentinel"].flatMap((part): readonly Edit[] => {
    const now = valueAt(failover, "spec", part, "image");
    return now === undefined || now === null || now === "" ? [{ path: ["spec", part, "image"], to: image }] : [];
  });
  return [...label(failover, "redis-failover.freshworks.com/operator-group", "cozystack"), ...images];
}

export const redisOperator: Migration = {
  id: 54,
  title: "hand Redis over to its new operator, with the version that runs",
  why: "the new operator does not see Redis without its label, and takes it to a version from which there is no way back",
  where: "RedisFailovers without the operator's label, or without an image",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "looksAgain", because: "a version that is taken up by itself cannot be taken back" },
  precondition: whereServed(RedisFailover),
  steps: [
    editEach({
      title: "label them and write down what runs",
      kind: RedisFailover,
      edits,
      because: "its operator is another one",
      // What runs is what is written.
      rules: { otherwise: "none" },
    }),
  ],
};
