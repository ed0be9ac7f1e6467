/**
 * Where foundationdb differs from upstream on purpose.
 */
import { redundancyModes, storageEngines } from "../../../src/contracts/apps-foundationdb-org.ts";
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

const cluster = "apps.foundationdb.org/v1beta2/FoundationDBCluster/{release}";
const backup = "apps.foundationdb.org/v1beta2/FoundationDBBackup/{release}-backup";

const backupReason =
  "The backup has the fields that the operator knows, and its agents get the access in a file; upstream's was refused by the API server, so that none was ever taken.";

/** A difference of the backup's object at one place. */
const differs = (at: string): Deviation => ({
  class: "fault",
  cases: "all",
  object: backup,
  at,
  reason: backupReason,
});

const isGiven = (value: unknown): value is string => typeof value === "string";

/** Settings of the cluster that its definition does not know. */
function badCluster(values: unknown): boolean {
  const of = (field: string) => valueAt(values, "cluster", field);
  const [mode, engine, version] = [of("redundancyMode"), of("storageEngine"), of("version")];
  return (
    (isGiven(mode) && !redundancyModes.some((one) => one === mode)) ||
    (isGiven(engine) && !storageEngines.some((one) => one === engine)) ||
    (isGiven(version) && !/^\d{1,4}\.\d{1,4}\.\d{1,4}(-rc\d{1,4})?$/.test(version))
  );
}

function badBackup(values: unknown): boolean {
  const s3 = (...path: readonly string[]) => String(valueAt(values, "backup", "s3", ...path) ?? "");
  const [bucket, key, secret] = [s3("bucket"), s3("credentials", "accessKeyId"), s3("credentials", "secretAccessKey")];
  const isOn = valueAt(values, "backup", "enabled") === true;
  const endpoint = s3("endpoint");
  const url = endpoint.includes("://") ? endpoint : `https://${endpoint}`;
  return (
    !/^([-a-z0-9.]{3,63})?$/.test(bucket) ||
    !/^[-A-Za-z0-9._~]*$/.test(key) ||
    !/^[-a-z0-9]*$/.test(s3("region")) ||
    (endpoint !== "" && (!/^https?:\/\/[-A-Za-z0-9.]+(:\d+)?\/?$/.test(url) || !URL.canParse(url))) ||
    (isOn && (bucket === "" || key === "" || secret === "" || `${key}@${endpoint}`.length > 80))
  );
}

function badNumbers(values: unknown): boolean {
  const counts = [
    valueAt(values, "cluster", "processCounts", "storage"),
    valueAt(values, "securityContext", "runAsUser"),
    valueAt(values, "securityContext", "runAsGroup"),
  ];
  return counts.some((count) => Number(count) < 0);
}

function badParameters(values: unknown): boolean {
  const list = valueAt(values, "customParameters");
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const isBad = (text: string) => text.length > 100 || /[\x00-\x1f\x7f]/.test(text);
  return Array.isArray(list) && (list.length > 100 || list.map(String).some(isBad));
}

export const foundationdb: readonly Deviation[] = [
  differs("/spec/backupDeploymentSpec"),
  differs("/spec/podTemplateSpec"),
  differs("/spec/blobStoreConfiguration"),
  differs("/spec/version"),
  {
    class: "fault",
    cases: "all",
    object: "v1/Secret/{release}-s3-creds",
    at: "/data/credentials.json",
    only: "extra",
    reason: backupReason,
  },
  {
    class: "fault",
    cases: "unseen",
    object: cluster,
    at: "/spec/processCounts",
    only: "missing",
    test: "what is said of the cluster reaches the operator",
    reason:
      "Counts of processes that the operator does not know are left out; upstream handed them on, and the API server refused the cluster.",
  },
  ...["containers", "initContainers"].map(
    (list): Deviation => ({
      class: "design",
      cases: "unseen",
      object: cluster,
      at: `/spec/processes/general/podTemplate/spec/${list}/*/securityContext`,
      only: "missing",
      test: "nothing but user and group of a security context reaches a pod",
      reason:
        "Of `securityContext` only user and group are taken over; upstream took whatever else a tenant wrote there, privileges included.",
    }),
  ),
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badCluster,
    test: "refuses a way to keep copies that the operator does not know",
    reason:
      "Versions, redundancy modes and storage engines that the cluster's definition does not know are refused; upstream's release failed with them.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badBackup,
    test: "refuses a backup without a bucket",
    reason: "A backup without bucket, key or a proper address is refused; upstream's was refused by the API server.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badNumbers,
    test: "refuses a negative number of storage processes",
    reason: "Negative numbers of processes with data, users and groups are refused; upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badParameters,
    test: "refuses a parameter of two lines",
    reason:
      "A parameter of several lines, or longer than the operator takes, is refused; it could have said more than one thing to the processes.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["storage.size"],
    test: "the server refuses: a volume that shrinks",
    reason:
      "A volume that shrinks is refused, as everywhere; upstream took it over, and the operator moved all data to volumes that might be too small for it.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["storage.storageClass"],
    test: "the server refuses: another storage class",
    reason: "A storage class is fixed once volumes exist; upstream's schema said so, and its server let it through.",
  },
];
