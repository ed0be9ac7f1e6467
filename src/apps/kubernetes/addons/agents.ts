/** Values of what sends metrics and logs to the tenant's monitoring, and of what reads metrics from there. */
import { clusterDomain } from "../../../sdk/cluster.ts";
import type { Input } from "../spec.ts";
import type { Values } from "./values.ts";

const serviceOf = (name: string, { context }: Input): string =>
  `${name}.${context.namespace.monitoring}.svc.${clusterDomain(context)}`;

const streams = ["stream", "kubernetes_pod_name", "kubernetes_container_name", "kubernetes_namespace_name"].join(",");

const section = (name: string, lines: readonly string[]): string =>
  `[${name}]\n${lines.map((line) => `    ${line}\n`).join("")}`;

const outputs = (input: Input): string =>
  section("OUTPUT", [
    "Name http",
    "Match kube.*",
    `Host ${serviceOf("vlinsert-generic", input)}`,
    "port 9481",
    "compress gzip",
    `uri /insert/jsonline?_stream_fields=${streams}&_msg_field=log&_time_field=date`,
    "format json_lines",
    "json_date_format iso8601",
    "header AccountID 0",
    "header ProjectID 0",
  ]);

const filters = ({ release, namespace }: Input): string =>
  [
    section("FILTER", [
      "Name kubernetes",
      "Match kube.*",
      "Merge_Log On",
      "Keep_Log On",
      "K8S-Logging.Parser On",
      "K8S-Logging.Exclude On",
    ]),
    section("FILTER", [
      "Name                nest",
      "Match               *",
      "Wildcard            pod_name",
      "Operation lift",
      "Nested_under kubernetes",
      "Add_prefix   kubernetes_",
    ]),
    section("FILTER", ["Name modify", "Match *", `Add tenant ${namespace}`]),
    section("FILTER", ["Name modify", "Match *", `Add cluster ${release}`]),
  ].join("");

export function monitoringAgents(input: Input): Values {
  const containers = "/var/lib/docker/containers";
  return {
    // By this the chart tells tenants apart. Upstream gives it a label and an address that it does not read.
    global: { target: input.namespace },
    vmagent: {
      externalLabels: { cluster: input.release, tenant: input.namespace },
      remoteWrite: { urls: [`http://${serviceOf("vminsert-shortterm", input)}:8480/insert/0/prometheus`] },
    },
    "fluent-bit": {
      readinessProbe: { httpGet: { path: "/" } },
      daemonSetVolumes: [
        { name: "varlog", hostPath: { path: "/var/log" } },
        { name: "varlibdockercontainers", hostPath: { path: containers } },
      ],
      daemonSetVolumeMounts: [
        { name: "varlog", mountPath: "/var/log" },
        { name: "varlibdockercontainers", mountPath: containers, readOnly: true },
      ],
      config: { outputs: outputs(input), filters: filters(input) },
    },
  };
}

export function verticalPodAutoscaler(input: Input): Values {
  const { release, namespace } = input;
  return {
    vpaForVPA: false,
    "vertical-pod-autoscaler": {
      recommender: {
        extraArgs: {
          storage: "prometheus",
          "prometheus-address": `http://${serviceOf("vmselect-shortterm", input)}:8481/select/0/prometheus/`,
          "metric-for-pod-labels": `kube_pod_labels{job="kube-state-metrics", tenant="${namespace}", cluster="${release}"}[8d]`,
          "container-name-label": "container",
          "container-namespace-label": "namespace",
          "pod-namespace-label": "namespace",
          "container-pod-name-label": "pod",
          "pod-name-label": "pod",
          "pod-label-prefix": "label_",
          "memory-saver": true,
          "prometheus-cadvisor-job-name": "cadvisor",
        },
        resources: { requests: { cpu: "100m", memory: "1600Mi" }, limits: { memory: "1600Mi" } },
      },
    },
  };
}
