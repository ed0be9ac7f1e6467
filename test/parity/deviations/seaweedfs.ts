/**
 * Where seaweedfs differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

/** One of upstream's hook objects. */
const hook = (kind: string): Deviation => ({
  class: "hook",
  cases: "all",
  object: `${kind}/{release}-cleanup`,
  only: "missing",
  test: "a SeaweedFS leaves nothing: volumes, certificates and the database go (features 118 and 194)",
  reason:
    "The Job that deleted volumes, the database and certificates after the release was gone: the controller deletes them itself.",
});

const system = "helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-system";

const hostName = /^([a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?)?$/;
const className = /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/;
const label = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

const entries = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) ? Object.entries(value) : [];
const text = (value: unknown, field: string) => String(valueAt(value, field) ?? "");

/** Everything that has volumes of its own. */
function places(values: unknown): readonly unknown[] {
  const volume = valueAt(values, "volume");
  const zones = entries(valueAt(volume, "zones")).map(([, zone]) => zone);
  const pools = [volume, ...zones].flatMap((place) => entries(valueAt(place, "pools")).map(([, pool]) => pool));
  return [valueAt(values, "db"), volume, ...zones, ...pools];
}

function badText(values: unknown): boolean {
  const zones = entries(valueAt(values, "volume", "zones"));
  const list = valueAt(values, "filer", "whitelist");
  return (
    !hostName.test(text(values, "host")) ||
    !hostName.test(text(valueAt(values, "filer"), "grpcHost")) ||
    places(values).some((place) => !className.test(text(place, "storageClass"))) ||
    zones.some(([name, zone]) => !label.test(name) || !/^[-a-zA-Z0-9_.]*$/.test(text(zone, "dataCenter"))) ||
    (Array.isArray(list) && list.some((network) => !/^[0-9a-fA-F.:]+(\/[0-9]+)?$/.test(String(network))))
  );
}

const labelLine = /^([-a-zA-Z0-9_./]+: +("[-a-zA-Z0-9_.]*"|'[-a-zA-Z0-9_.]*'|[-a-zA-Z0-9_.]+)[ ]*|[ ]*(#.*)?)$/;

const badNodes = (values: unknown) =>
  entries(valueAt(values, "volume", "zones")).some(([, zone]) =>
    text(zone, "nodeSelector")
      .split("\n")
      .some((line) => !labelLine.test(line)),
  );

const counts = (values: unknown) => [
  ...["master", "filer", "s3"].map((part) => valueAt(values, part, "replicas")),
  ...places(values).map((place) => valueAt(place, "replicas")),
];

const port = (values: unknown) => Number(valueAt(values, "filer", "grpcPort") ?? 443);

/** Keys of the groups of volume servers in zones. */
const keys = (values: unknown) =>
  entries(valueAt(values, "volume", "zones")).flatMap(([zone, given]) => [
    zone,
    ...entries(valueAt(given, "pools")).map(([pool]) => `${zone}-${pool}`),
  ]);

export const seaweedfs: readonly Deviation[] = [
  hook("batch/v1/Job"),
  hook("v1/ServiceAccount"),
  hook("rbac.authorization.k8s.io/v1/Role"),
  hook("rbac.authorization.k8s.io/v1/RoleBinding"),
  {
    class: "innerRelease",
    cases: "all",
    replaced: ["helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-db"],
    by: ["postgresql.cnpg.io/v1/Cluster/seaweedfs-db"],
    reason: "The database is rendered directly; upstream installed it as a second release.",
  },
  {
    class: "innerRelease",
    cases: "all",
    object: system,
    at: "/spec/dependsOn",
    reason:
      "The release does not wait for that of the database, which is no release any more: filers wait for its Secret.",
  },
  {
    class: "design",
    cases: "all",
    assumes: "v1/Secret/seaweedfs-client-cert",
    reason:
      "A client waits for the certificate that its user brings, by name; upstream made a driver that never started.",
  },
  {
    class: "design",
    cases: "all",
    object: "rbac.authorization.k8s.io/v1/Role/{release}-dashboard-resources",
    at: "/rules",
    when: (values) => valueAt(values, "topology") === "Client",
    becomes: [],
    reason: "A client shows nothing by a list without rules; upstream wrote null, which means the same.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badText,
    test: "refuses a host name that is none",
    reason:
      "Names of hosts, storage classes, zones, data centres and networks are refused that are none: the chart writes some of them into commands and documents as they are, so that a tenant could run anything with them.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badNodes,
    test: "refuses a node selector that is more than labels",
    reason:
      "A node selector is lines of labels. The chart runs the text as a template and writes it into its documents as it is; other texts are refused.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: system,
    at: "/spec/values/seaweedfs/volumes/*/nodeSelector",
    only: "differs",
    when: (values) =>
      entries(valueAt(values, "volume", "zones")).some(([name]) =>
        /^([0-9.e]+|true|false|yes|no|on|off|y|n|null)$/.test(name),
      ),
    test: "a zone whose name is no text to YAML is in quotes among its nodes' labels",
    reason:
      "A zone whose name YAML takes for a number or a boolean is written in quotes among the labels of its nodes; upstream's servers were refused.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => counts(values).some((count) => Number(count) < 0) || valueAt(values, "db", "replicas") === 0,
    test: "refuses a negative number of replicas",
    reason: "A negative number of replicas, or a database without servers, is refused; upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      Number(valueAt(values, "replicationFactor") ?? 2) > 10 || port(values) < 1 || port(values) > 65_535,
    test: "refuses more copies than can be written",
    reason: "More than ten copies, for which SeaweedFS has one digit, and numbers that are no ports are refused.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => new Set(keys(values)).size < keys(values).length || keys(values).some((key) => key.length > 56),
    test: "refuses two zones whose pools have one name",
    reason:
      "Zones and pools whose servers would have one name, or one that no label can have, are refused; upstream wrote them one over the other, or never started them.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["topology"],
    test: "the server refuses: another topology",
    reason:
      "The topology is fixed from the beginning, and an edit is refused at once; upstream stored it, and its release failed from then on.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["db.size", "volume.size"],
    test: "the server refuses: volumes that shrink",
    reason: "A volume that shrinks is refused; upstream took it over and changed nothing.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: [
      "db.storageClass",
      "volume.storageClass",
      "volume.pools.*.storageClass",
      "volume.zones.*.storageClass",
      "volume.zones.*.pools.*.storageClass",
    ],
    test: "the server refuses: another storage class",
    reason: "A storage class is fixed once volumes exist; upstream's release failed, or changed nothing.",
  },
];
