/**
 * Where postgres differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

const initJob = "batch/v1/Job/{release}-init-job";

function databasesWithoutRoles(values: unknown): boolean {
  const databases = valueAt(values, "databases");
  const all = isRecord(databases) ? Object.values(databases) : [];
  return all.some((database) => valueAt(database, "roles") === undefined);
}

function largeNumbers(values: unknown): boolean {
  const parameters = valueAt(values, "postgresql", "parameters");
  return isRecord(parameters) && Object.values(parameters).some((value) => typeof value === "number" && value >= 1e6);
}

const namesOf = (values: unknown, field: string): readonly string[] => {
  const map = valueAt(values, field);
  return isRecord(map) ? Object.keys(map) : [];
};

const reservedUser = (name: string) => /^pg_|^(public|none|streaming_replica)$/.test(name);
const impossibleDatabase = (name: string) =>
  /^pg_|^template[01]$/.test(name) ||
  Buffer.byteLength(name) > 54 ||
  [...name].some((one) => one < " " || one === "\x7f");

export const postgres: readonly Deviation[] = [
  {
    class: "contentJob",
    cases: "all",
    object: initJob,
    renamed: "batch/v1/Job/{release}-init-*",
    reason:
      "The Job that makes users and databases is named by its content and runs once per content; upstream ran one of a fixed name after every installation and upgrade.",
  },
  {
    class: "contentJob",
    cases: "all",
    object: initJob,
    at: "/metadata/annotations",
    only: "missing",
    reason: "The init Job is no Helm hook.",
  },
  {
    class: "contentJob",
    cases: "all",
    object: initJob,
    at: "/spec/ttlSecondsAfterFinished",
    only: "missing",
    reason: "The init Job has no time to live: it is pruned when the next one has succeeded.",
  },
  {
    class: "contentJob",
    cases: "all",
    object: initJob,
    at: "/spec/template/metadata",
    only: "missing",
    reason: "The pod template of the init Job has no name and no checksum: the Job's own name says what it runs.",
  },
  {
    class: "design",
    cases: "all",
    object: "v1/Secret/{release}-init-script",
    at: "/stringData/*",
    only: "extra",
    reason:
      "Beside init.sh the Secret has the SQL it runs (compressed), what is wanted as a JSON document (names and passwords are data, never part of a script), and the random key of the hash in the Job's name.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "accepts",
    when: databasesWithoutRoles,
    test: "a database without roles is one that nobody was given",
    reason:
      "A database without `roles` made upstream's template fail once there was a user; it is one without members.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: "postgresql.cnpg.io/v1/Cluster/{release}",
    at: "/spec/postgresql/parameters/*",
    only: "differs",
    when: largeNumbers,
    test: "parameters are texts, large numbers in full",
    reason: "A parameter given as a number of a million or more was printed as 1e+06; it is printed in full.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => namesOf(values, "users").some(reservedUser),
    test: "refuses PostgreSQL's own roles",
    reason:
      "Users with the names of PostgreSQL's or the operator's own roles are refused; upstream's Job failed, or broke replication.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => namesOf(values, "databases").some(impossibleDatabase),
    test: "refuses a database whose roles would have names of 64 bytes",
    reason:
      "Databases with the names of templates, with control characters, or too long for the names of their roles are refused; upstream's Job failed, at the latest when it ran again.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => valueAt(values, "bootstrap", "enabled") === true && !valueAt(values, "bootstrap", "oldName"),
    test: "refuses a restore of nothing",
    reason: "A restore without the name of the old cluster is refused; upstream handed the empty name to the operator.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["size"],
    test: "the server refuses: a volume that shrinks",
    reason: "A volume that shrinks is refused; upstream took it over and the operator refused it.",
  },
  fixedStorageClass,
];
