/**
 * What the JMX exporter beside brokers and ZooKeeper makes metrics of. The names of the metrics are those that Strimzi's
 * dashboards and alerts read.
 */
import { stringify } from "yaml";

interface Rule {
  readonly pattern: string;
  readonly name: string;
  readonly type: "COUNTER" | "GAUGE" | "UNTYPED";
  readonly labels?: Readonly<Record<string, string>>;
  /** The value itself says nothing where the name of a state is the label. */
  readonly value?: number;
}

/** A bean's name with these keys, each of which becomes a group. */
const bean = (domain: string, keys: readonly string[]): string =>
  `${domain}<${keys.map((key) => `${key}=(.+)`).join(", ")}>`;

/** Labels by name, each with the group of its position, the first of which is `from`. */
const groups = (names: readonly string[], from: number): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name, at) => [name, `$${at + from}`]));

/** Values that each client has of the server: per partition, and per broker it speaks to. */
const clients: readonly Rule[] = [
  {
    pattern: "kafka.server<type=(.+), name=(.+), clientId=(.+), topic=(.+), partition=(.*)><>Value",
    name: "kafka_server_$1_$2",
    type: "GAUGE",
    labels: groups(["clientId", "topic", "partition"], 3),
  },
  {
    pattern: `${bean("kafka.server", ["type", "name", "clientId", "brokerHost", "brokerPort"])}<>Value`,
    name: "kafka_server_$1_$2",
    type: "GAUGE",
    labels: { clientId: "$3", broker: "$4:$5" },
  },
];

/** How many connections there are of each kind. */
const connections: readonly Rule[] = (
  [
    ["tls_info", ["cipher", "protocol"]],
    ["software", ["clientSoftwareName", "clientSoftwareVersion"]],
  ] as const
).map(([suffix, keys]) => {
  const names = [...keys, "listener", "networkProcessor"];
  return {
    pattern: `${bean("kafka.server", ["type", ...names])}<>connections`,
    name: `kafka_server_$1_connections_${suffix}`,
    type: "GAUGE",
    labels: groups(names, 2),
  };
});

/** What the threads behind a listener count. Attributes have a colon after them in one form of the beans, and none in the other. */
const listeners: readonly Rule[] = [":", ""].flatMap((end) =>
  (["(.+-total)", "(.+)"] as const).map((attribute) => ({
    pattern: `${bean("kafka.server", ["type", "listener", "networkProcessor"])}<>${attribute}${end}`,
    name: "kafka_server_$1_$4",
    type: attribute === "(.+)" ? "GAUGE" : "COUNTER",
    labels: groups(["listener", "networkProcessor"], 2),
  })),
);

/** Domain, type and name of a bean with `pairs` more keys, whatever these are called. */
const anyBean = (suffix: string, pairs: number): string =>
  `kafka.(\\w+)<type=(.+), name=(.+)${suffix}${", (.+)=(.+)".repeat(pairs)}>`;

/** The further keys of {@link anyBean} as labels of their own names. */
const anyLabels = (pairs: number): Readonly<Record<string, string>> =>
  Object.fromEntries(Array.from({ length: pairs }, (_, at) => [`$${2 * at + 4}`, `$${2 * at + 5}`]));

function family(
  attribute: string,
  type: Rule["type"],
  pairs: number,
  more: { readonly of?: string; readonly as?: string; readonly labels?: Readonly<Record<string, string>> } = {},
): Rule {
  const labels = { ...anyLabels(pairs), ...more.labels };
  return {
    pattern: `${anyBean(more.of ?? "", pairs)}<>${attribute}`,
    name: `kafka_$1_$2_$3${more.as ?? ""}`,
    type,
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
  };
}

const percent = { of: "Percent\\w*", as: "_percent" };
const most = [2, 1, 0] as const;

/** Everything that follows the common form, the rules with the most keys first, since the first that fits is taken. */
const common: readonly Rule[] = [
  family("MeanRate", "GAUGE", 0, percent),
  family("Value", "GAUGE", 0, percent),
  family("Value", "GAUGE", 1, percent),
  ...most.map((pairs) => family("Count", "COUNTER", pairs, { of: "PerSec\\w*", as: "_total" })),
  ...most.map((pairs) => family("Value", "GAUGE", pairs)),
  // A histogram, in the form of a summary.
  ...most.flatMap((pairs) => [
    family("Count", "COUNTER", pairs, { as: "_count" }),
    family("(\\d+)thPercentile", "GAUGE", pairs, { labels: { quantile: `0.$${2 * pairs + 4}` } }),
  ]),
];

/** Metrics of the quorum, by which brokers agree without ZooKeeper. */
const quorum: readonly Rule[] = [
  {
    pattern: "kafka.server<type=raft-metrics><>(.+-total|.+-max):",
    name: "kafka_server_raftmetrics_$1",
    type: "COUNTER",
  },
  {
    pattern: "kafka.server<type=raft-metrics><>(current-state): (.+)",
    name: "kafka_server_raftmetrics_$1",
    type: "UNTYPED",
    value: 1,
    labels: { $1: "$2" },
  },
  { pattern: "kafka.server<type=raft-metrics><>(.+):", name: "kafka_server_raftmetrics_$1", type: "GAUGE" },
  {
    pattern: "kafka.server<type=raft-channel-metrics><>(.+-total|.+-max):",
    name: "kafka_server_raftchannelmetrics_$1",
    type: "COUNTER",
  },
  {
    pattern: "kafka.server<type=raft-channel-metrics><>(.+):",
    name: "kafka_server_raftchannelmetrics_$1",
    type: "GAUGE",
  },
  {
    pattern: "kafka.server<type=broker-metadata-metrics><>(.+):",
    name: "kafka_server_brokermetadatametrics_$1",
    type: "GAUGE",
  },
];

/** Beans of ZooKeeper are nested: the server, its replica, the role of that, and what belongs to the role. */
const keepers: readonly Rule[] = (
  [
    { depth: 0, attribute: "(\\w+)", type: "GAUGE" },
    { depth: 1, attribute: "(\\w+)", type: "GAUGE" },
    { depth: 2, attribute: "(Packets\\w+)", type: "COUNTER" },
    { depth: 2, attribute: "(\\w+)", type: "GAUGE" },
    { depth: 3, attribute: "(\\w+)", type: "GAUGE" },
  ] as const
).map(({ depth, attribute, type }) => {
  const nested = ["name1=replica.(\\d+)", "name2=(\\w+)", "name3=(\\w+)"].slice(0, depth);
  const labels = groups(["replicaId", "memberType"].slice(0, depth), 2);
  return {
    pattern: `org.apache.ZooKeeperService<${["name0=ReplicatedServer_id(\\d+)", ...nested].join(", ")}><>${attribute}`,
    name: depth === 3 ? "zookeeper_$4_$5" : `zookeeper_$${depth + 2}`,
    type,
    ...(depth === 0 ? {} : { labels }),
  };
});

const textOf = (rules: readonly Rule[]): string => stringify({ lowercaseOutputName: true, rules }, { lineWidth: 0 });

/** Keys of the ConfigMap. */
export const brokerKey = "kafka-metrics-config.yml";
export const keeperKey = "zookeeper-metrics-config.yml";

/** Configurations of the exporter, by key. */
export const metricsRules: Readonly<Record<string, string>> = {
  [brokerKey]: textOf([...clients, ...connections, ...listeners, ...common, ...quorum]),
  [keeperKey]: textOf(keepers),
};
