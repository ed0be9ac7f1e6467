/**
 * Where nats differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

const release = "helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-system";
const merge = "/spec/values/nats/config/merge";

const users = (values: unknown): readonly (readonly [string, unknown])[] => {
  const map = valueAt(values, "users");
  return isRecord(map) ? Object.entries(map) : [];
};

const passwordOf = (user: unknown) => String(valueAt(user, "password") ?? "");

/** What YAML reads as something else than a text. */
const isNoText = (text: string) => text !== "" && (!Number.isNaN(Number(text)) || /^(true|false|null|~)$/i.test(text));

/** What the chart writes without quotes. */
const isUnquoted = (text: string) => text.includes("<< ") && text.includes(" >>");

const userName = /^([-_a-zA-Z0-9]|[.][-_a-zA-Z0-9])[-._a-zA-Z0-9]{0,251}$/;

/** Whether the users' accounts are all that upstream lays over the configuration. */
function mergesNothing(values: unknown): boolean {
  const given = valueAt(values, "config", "merge");
  return !isRecord(given) || Object.keys(given).length === 0;
}

const hidden =
  "Users' passwords reach the chart through a Secret with values, not through the release, which more people may read. Flux lays both together, so that the servers get the same configuration. Users that are gone are gone at once; upstream kept them until the render after.";

export const nats: readonly Deviation[] = [
  { class: "design", cases: "all", object: release, at: `${merge}/accounts`, reason: hidden },
  { class: "design", cases: "all", object: release, at: merge, only: "missing", when: mergesNothing, reason: hidden },
  { class: "design", cases: "all", object: release, at: "/spec/valuesFrom", reason: hidden },
  { class: "design", cases: "all", object: "v1/Secret/{release}-accounts", only: "extra", reason: hidden },
  {
    class: "fault",
    cases: "all",
    object: "cozystack.io/v1alpha1/WorkloadMonitor/{release}",
    at: "/spec/selector",
    only: "extra",
    reason:
      "The monitor counts servers only; upstream's counted the chart's idle client as well, so that an application without any server was operational.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: "v1/Secret/{release}-credentials",
    at: "/stringData/*",
    only: "differs",
    when: (values) => users(values).some(([, user]) => isNoText(passwordOf(user))),
    test: "passwords stay the texts they are",
    reason:
      "A password that YAML takes for a number or a boolean is kept as text; upstream's Secret was refused by the API server.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => users(values).some(([name, user]) => !userName.test(name) || isUnquoted(passwordOf(user))),
    test: "refuses a password that the chart would not quote",
    reason:
      "A user whose name cannot be a key of a Secret, or whose password would change the servers' configuration, is refused; upstream failed in the middle of installing, or configured something else.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => users(values).length > 0 && valueAt(values, "config", "merge", "accounts") !== undefined,
    test: "refuses accounts from two places",
    reason:
      "Users together with `config.merge.accounts` are refused; upstream wrote the accounts twice, of which one was lost.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => Number(valueAt(values, "replicas")) < 0,
    test: "refuses a negative number of replicas",
    reason: "A negative number of replicas is refused; upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    edits: ["jetstream.enabled"],
    test: "the server refuses: JetStream switched off later",
    reason:
      "Whether there is JetStream is fixed: volumes of a StatefulSet do not come or go. Upstream's release failed from then on.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["jetstream.size"],
    test: "the server refuses: a volume that shrinks",
    reason:
      "A volume that shrinks is refused. One that grows does: its claims are enlarged under the running servers; upstream's release failed with either.",
  },
  fixedStorageClass,
];
