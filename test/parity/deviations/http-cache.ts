/**
 * Where http-cache differs from upstream on purpose.
 */
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";
import { hasNoEndpoint, hasNoPrefix } from "../values.ts";

const scrape = "operator.victoriametrics.com/v1beta1/VMServiceScrape/nginx-cache";

export const httpCache: readonly Deviation[] = [
  {
    class: "fault",
    cases: "all",
    object: "cozystack.io/v1alpha1/WorkloadMonitor/{release}",
    at: "/spec/minReplicas",
    only: "differs",
    becomes: 0,
    reason:
      "The monitor of the whole, which counts volumes and addresses, asks for no pods: none has the label it looks for, so that upstream's application never became ready.",
  },
  {
    class: "fault",
    cases: "all",
    object: scrape,
    renamed: "operator.victoriametrics.com/v1beta1/VMServiceScrape/{release}-nginx-cache",
    reason:
      "The scrape is named after its application; upstream had one name for all, so that two in a namespace fought.",
  },
  {
    class: "fault",
    cases: "all",
    object: scrape,
    at: "/spec/namespaceSelector/matchNames",
    only: "differs",
    reason:
      "The scrape looks in the application's namespace; upstream's named one that no tenant has, and found nothing.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => hasNoPrefix(valueAt(values, "whitelist")) || hasNoEndpoint(valueAt(values, "endpoints")),
    test: "refuses a whitelist with something else than addresses",
    reason:
      "Endpoints that are no hosts with ports and a whitelist with something else than addresses are refused; upstream wrote them into the proxies' configuration, which then did not start, or said something else.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => ["haproxy", "nginx"].some((part) => Number(valueAt(values, part, "replicas")) < 0),
    test: "refuses a negative number of HAProxy pods",
    reason: "A negative number of replicas is refused; upstream's release failed, or had no servers.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => Number(valueAt(values, "nginx", "replicas")) > 100,
    test: "refuses more nginx servers than there are numbers for",
    reason:
      "More than 100 nginx servers are refused: each is a Deployment with a Service and a volume, on a node of its own.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["size"],
    test: "the server refuses: a volume that shrinks",
    reason: "A volume that shrinks is refused; upstream's release failed.",
  },
  fixedStorageClass,
];
