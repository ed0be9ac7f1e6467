/** The exporter's rules, tried on names of beans as the exporter writes them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { isRecord, valueAt } from "../../kube/json.ts";
import { brokerKey, keeperKey, metricsRules } from "./metrics.ts";

interface Metric {
  readonly name: string;
  readonly type: string;
  readonly labels: Readonly<Record<string, string>>;
}

function rulesOf(key: string): readonly unknown[] {
  const config: unknown = parse(metricsRules[key] ?? "");
  assert.equal(valueAt(config, "lowercaseOutputName"), true);
  const rules = valueAt(config, "rules");
  assert.ok(Array.isArray(rules));
  return rules;
}

/** What the first rule that fits makes of a bean's attribute; the exporter tries them in order, anchored at both ends. */
function metricOf(key: string, bean: string): Metric | undefined {
  for (const rule of rulesOf(key)) {
    const found = new RegExp(`^.*(?:${String(valueAt(rule, "pattern"))}).*$`).exec(bean);
    if (found === null) continue;
    const filled = (text: unknown) => String(text).replace(/\$(\d)/g, (_, group) => found[Number(group)] ?? "");
    const labels = valueAt(rule, "labels");
    return {
      name: filled(valueAt(rule, "name")).toLowerCase(),
      type: String(valueAt(rule, "type")),
      labels: Object.fromEntries(
        Object.entries(isRecord(labels) ? labels : {}).map(([name, value]) => [filled(name), filled(value)]),
      ),
    };
  }
  return undefined;
}

const rows = [
  {
    why: "a client's lag on a partition",
    bean: "kafka.server<type=FetcherLagMetrics, name=ConsumerLag, clientId=c, topic=t, partition=0><>Value: 5",
    is: {
      name: "kafka_server_fetcherlagmetrics_consumerlag",
      type: "GAUGE",
      labels: { clientId: "c", topic: "t", partition: "0" },
    },
  },
  {
    why: "a client's rate at a broker",
    bean: "kafka.server<type=FetcherStats, name=Requests, clientId=c, brokerHost=h, brokerPort=9091><>Value: 5",
    is: { name: "kafka_server_fetcherstats_requests", type: "GAUGE", labels: { clientId: "c", broker: "h:9091" } },
  },
  {
    why: "encrypted connections",
    bean: "kafka.server<type=socket-server-metrics, cipher=x, protocol=y, listener=l, networkProcessor=1><>connections: 2",
    is: {
      name: "kafka_server_socket-server-metrics_connections_tls_info",
      type: "GAUGE",
      labels: { cipher: "x", protocol: "y", listener: "l", networkProcessor: "1" },
    },
  },
  {
    why: "a listener's total",
    bean: "kafka.server<type=socket-server-metrics, listener=l, networkProcessor=1><>connection-close-total: 2",
    is: {
      name: "kafka_server_socket-server-metrics_connection-close-total",
      type: "COUNTER",
      labels: { listener: "l", networkProcessor: "1" },
    },
  },
  {
    why: "a listener's present count",
    bean: "kafka.server<type=socket-server-metrics, listener=l, networkProcessor=1><>connection-count: 2",
    is: {
      name: "kafka_server_socket-server-metrics_connection-count",
      type: "GAUGE",
      labels: { listener: "l", networkProcessor: "1" },
    },
  },
  {
    why: "a part of the time",
    bean: "kafka.server<type=KafkaRequestHandlerPool, name=RequestHandlerAvgIdlePercent><>MeanRate: 0.9",
    is: { name: "kafka_server_kafkarequesthandlerpool_requesthandleravgidle_percent", type: "GAUGE", labels: {} },
  },
  {
    why: "a rate of one topic",
    bean: "kafka.server<type=BrokerTopicMetrics, name=BytesInPerSec, topic=t><>Count: 7",
    is: { name: "kafka_server_brokertopicmetrics_bytesin_total", type: "COUNTER", labels: { topic: "t" } },
  },
  {
    why: "a value without labels",
    bean: "kafka.controller<type=KafkaController, name=ActiveControllerCount><>Value: 1",
    is: { name: "kafka_controller_kafkacontroller_activecontrollercount", type: "GAUGE", labels: {} },
  },
  {
    why: "a value of a partition",
    bean: "kafka.log<type=Log, name=Size, topic=t, partition=0><>Value: 1",
    is: { name: "kafka_log_log_size", type: "GAUGE", labels: { topic: "t", partition: "0" } },
  },
  {
    why: "how often a histogram was asked",
    bean: "kafka.network<type=RequestMetrics, name=TotalTimeMs, request=Fetch><>Count: 1",
    is: { name: "kafka_network_requestmetrics_totaltimems_count", type: "COUNTER", labels: { request: "Fetch" } },
  },
  {
    why: "a percentile of a histogram",
    bean: "kafka.network<type=RequestMetrics, name=TotalTimeMs, request=Fetch><>99thPercentile: 1",
    is: {
      name: "kafka_network_requestmetrics_totaltimems",
      type: "GAUGE",
      labels: { request: "Fetch", quantile: "0.99" },
    },
  },
  {
    why: "the state in the quorum",
    bean: "kafka.server<type=raft-metrics><>current-state: leader",
    is: { name: "kafka_server_raftmetrics_current-state", type: "UNTYPED", labels: { "current-state": "leader" } },
  },
] as const;

for (const { why, bean, is } of rows) test(`brokers: ${why}`, () => assert.deepEqual(metricOf(brokerKey, bean), is));

const service = "org.apache.ZooKeeperService<name0=ReplicatedServer_id1";
const keepers = [
  {
    why: "the server",
    bean: `${service}><>QuorumSize: 3`,
    is: { name: "zookeeper_quorumsize", type: "GAUGE", labels: {} },
  },
  {
    why: "a replica",
    bean: `${service}, name1=replica.2><>ElectionType: 3`,
    is: { name: "zookeeper_electiontype", type: "GAUGE", labels: { replicaId: "2" } },
  },
  {
    why: "packets by role",
    bean: `${service}, name1=replica.2, name2=Leader><>PacketsSent: 3`,
    is: { name: "zookeeper_packetssent", type: "COUNTER", labels: { replicaId: "2", memberType: "Leader" } },
  },
  {
    why: "a value by role",
    bean: `${service}, name1=replica.2, name2=Follower><>AvgRequestLatency: 3`,
    is: { name: "zookeeper_avgrequestlatency", type: "GAUGE", labels: { replicaId: "2", memberType: "Follower" } },
  },
  {
    why: "what a role holds",
    bean: `${service}, name1=replica.2, name2=Leader, name3=InMemoryDataTree><>NodeCount: 3`,
    is: {
      name: "zookeeper_inmemorydatatree_nodecount",
      type: "GAUGE",
      labels: { replicaId: "2", memberType: "Leader" },
    },
  },
] as const;

for (const { why, bean, is } of keepers)
  test(`ZooKeeper: ${why}`, () => assert.deepEqual(metricOf(keeperKey, bean), is));

test("there are as many rules as upstream has", () => {
  assert.deepEqual([rulesOf(brokerKey).length, rulesOf(keeperKey).length], [29, 5]);
});
