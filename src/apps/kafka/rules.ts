/**
 * What is refused beyond the types of fields, as CEL for the API server.
 */
import { growOnly, type PlacedRule } from "../../sdk/spec.ts";

/** Names of topics, from which the name of a Kubernetes object can be made. */
export const topicName = "^[-_A-Za-z0-9]*[A-Za-z0-9]([.][A-Za-z0-9]([-_A-Za-z0-9]*[A-Za-z0-9])?)*$";

/** Longest name of a topic, as Kafka has it. */
export const longestTopic = 249;

/** The operator's Service is <release>-zookeeper-client. */
export const longestRelease = 46;

export const rules: readonly PlacedRule[] = [growOnly("kafka.size"), growOnly("zookeeper.size")];
