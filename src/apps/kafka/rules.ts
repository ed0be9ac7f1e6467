/**
 * What is refused beyond the types of fields.
 */
import { checkName } from "../../sdk/names.ts";
import { growOnly, type PlacedRule } from "../../sdk/spec.ts";
import type { Input } from "./spec.ts";

/** Names of topics, from which the name of a Kubernetes object can be made. */
export const topicName = "^[-_A-Za-z0-9]*[A-Za-z0-9]([.][A-Za-z0-9]([-_A-Za-z0-9]*[A-Za-z0-9])?)*$";

/** Longest name of a topic, as Kafka has it. */
export const longestTopic = 249;

/** The operator's Service is <release>-zookeeper-client. */
export const longestRelease = 46;

export const rules: readonly PlacedRule[] = [growOnly("kafka.size"), growOnly("zookeeper.size")];

/** The Service through which clients outside find the brokers. */
export const externalBootstrap = (release: string): string => `${release}-kafka-external-bootstrap`;

/** Refuses a name that is too long for what is wanted of it. */
export function check({ release, spec }: Input): void {
  if (spec.external)
    checkName(externalBootstrap(release), "DNS-1035 label", "the name of the Service for clients outside");
}
