/** What is measured of the members, and when it alerts: the rules of the etcd project. */
import { PrometheusRule } from "../../contracts/monitoring-coreos-com.ts";
import { VMPodScrape } from "../../contracts/operator-victoriametrics-com.ts";
import type { Rendered } from "../../sdk/manifest.ts";

const jobs = `job=~".*etcd.*"`;
const instance = "instance '{{ $labels.instance }}'";
const atCluster = "etcd cluster '{{ $labels.job }}'";

interface Alert {
  readonly name: string;
  /** Lines of the expression. */
  readonly when: readonly string[];
  readonly lasting: string;
  readonly severity: "warning" | "critical";
  readonly summary: string;
  readonly description?: string;
}

const per =
  (window: string) =>
  (metric: string, filter = "") =>
    `rate(${metric}{${jobs}${filter}}[${window}])`;
const shortly = per("5m");
const lately = per("15m");
const slowest = (buckets: string): readonly string[] => [`histogram_quantile(0.99, ${buckets})`, "> 0.15"];

const calls = "(job, instance, grpc_service, grpc_method)";

/** Calls that fail, in percent. */
const failedCalls = (percent: number, lasting: string, severity: Alert["severity"]): Alert => ({
  name: "etcdHighNumberOfFailedGRPCRequests",
  when: [
    `100 * sum(${shortly("grpc_server_handled_total", `, grpc_code!="OK"`)}) BY ${calls}`,
    "  /",
    `sum(${shortly("grpc_server_handled_total")}) BY ${calls}`,
    `  > ${percent}`,
  ],
  lasting,
  severity,
  summary: `${atCluster}: '{{ $value }}' of requests for '{{ $labels.grpc_method }}' failed on etcd ${instance}.`,
});

/** Requests over HTTP that fail, as a share. */
const failedRequests = (share: number, severity: Alert["severity"]): Alert => ({
  name: "etcdHighNumberOfFailedHTTPRequests",
  when: [
    `sum(${shortly("etcd_http_failed_total", `, code!="404"`)}) BY (method) / sum(${shortly("etcd_http_received_total")}) BY (method) > ${share}`,
  ],
  lasting: "10m",
  severity,
  summary: `'{{ $value }}' of requests for '{{ $labels.method }}' failed on etcd ${instance}.`,
});

const alerts: readonly Alert[] = [
  {
    name: "etcdInsufficientMembers",
    when: [`sum(up{${jobs}} == bool 1) by (job) < ((count(up{${jobs}}) by (job) + 1) / 2)`],
    lasting: "3m",
    severity: "critical",
    summary: `${atCluster}: insufficient members '{{ $value }}'.`,
  },
  {
    name: "etcdNoLeader",
    when: [`etcd_server_has_leader{${jobs}} == 0`],
    lasting: "1m",
    severity: "critical",
    summary: `${atCluster}: member '{{ $labels.instance }}' has no leader.`,
  },
  {
    name: "etcdHighNumberOfLeaderChanges",
    when: [`${lately("etcd_server_leader_changes_seen_total")} > 3`],
    lasting: "15m",
    severity: "warning",
    summary: `${atCluster}: ${instance} has seen '{{ $value }}' leader changes within the last hour.`,
  },
  failedCalls(1, "10m", "warning"),
  failedCalls(5, "5m", "critical"),
  {
    name: "etcdGRPCRequestsSlow",
    when: slowest(
      `sum(${shortly("grpc_server_handling_seconds_bucket", `, grpc_type="unary"`)}) by (job, instance, grpc_service, grpc_method, le)`,
    ),
    lasting: "10m",
    severity: "critical",
    summary: `${atCluster}: gRPC requests to '{{ $labels.grpc_method }}' are taking '{{ $value }}' on etcd ${instance}.`,
  },
  {
    name: "etcdMemberCommunicationSlow",
    when: slowest(shortly("etcd_network_peer_round_trip_time_seconds_bucket")),
    lasting: "10m",
    severity: "warning",
    summary: `${atCluster}: member communication with '{{ $labels.To }}' is taking '{{ $value }}' on etcd ${instance}.`,
  },
  {
    name: "etcdHighNumberOfFailedProposals",
    when: [`${lately("etcd_server_proposals_failed_total")} > 5`],
    lasting: "15m",
    severity: "warning",
    summary: `${atCluster}: '{{ $value }}' proposal failures within the last hour on etcd ${instance}.`,
  },
  failedRequests(0.01, "warning"),
  failedRequests(0.05, "critical"),
  {
    name: "etcdHTTPRequestsSlow",
    when: slowest("rate(etcd_http_successful_duration_seconds_bucket[5m])"),
    lasting: "10m",
    severity: "warning",
    summary: `etcd ${instance} HTTP requests to '{{ $labels.method }}' are slow.`,
  },
  {
    name: "etcdMembersDown",
    when: [
      "max without (endpoint) (",
      `  sum without (instance, pod) (up{${jobs}} == bool 0)`,
      "or",
      "  count without (To) (",
      `    sum without (instance, pod) (${per("120s")("etcd_network_peer_sent_failures_total")}) > 0.01`,
      "  )",
      ")",
      "> 0",
    ],
    lasting: "10m",
    severity: "critical",
    summary: `${atCluster} members are down.`,
    description: `etcd cluster "{{ $labels.job }}": members are down {{ $value }}.`,
  },
];

export const observed: readonly Rendered[] = [
  VMPodScrape("etcd-pod-scrape", {
    spec: {
      podMetricsEndpoints: [{ port: "metrics", scheme: "http" }],
      selector: { matchLabels: { "app.kubernetes.io/name": "etcd" } },
    },
  }),
  PrometheusRule("etcd-rules", {
    spec: {
      groups: [
        {
          name: "etcd",
          rules: alerts.map(({ name, when, lasting, severity, summary, description }) => ({
            alert: name,
            expr: `${when.join("\n")}\n`,
            for: lasting,
            labels: { severity },
            annotations: { summary, ...(description === undefined ? {} : { description }) },
          })),
        },
      ],
    },
  }),
];
