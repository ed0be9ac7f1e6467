/**
 * Where mariadb differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

const cronJob = "batch/v1/CronJob/{release}-backup";
const podTemplate = "/spec/jobTemplate/spec/template";

/** One of upstream's hook objects. */
const hook = (kind: string): Deviation => ({
  class: "hook",
  cases: "all",
  object: `${kind}/{release}-cleanup`,
  only: "missing",
  test: "a MariaDB leaves nothing: volumes and the operator's password Secrets go (feature 122)",
  reason:
    "The Job that deleted volumes and the operator's password Secrets after the release was gone: the controller deletes them itself.",
});

const entries = (values: unknown, field: string): readonly (readonly [string, unknown])[] => {
  const map = valueAt(values, field);
  return isRecord(map) ? Object.entries(map) : [];
};

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const roles = (values: unknown) =>
  entries(values, "databases").map(([, database]) => ({
    admin: list(valueAt(database, "roles", "admin")),
    readonly: list(valueAt(database, "roles", "readonly")),
  }));

/** What YAML reads as something else than a text. */
const isNoText = (text: string) => text !== "" && (!Number.isNaN(Number(text)) || /^(true|false|null|~)$/i.test(text));

const entryName = /^[-_a-z0-9]*[a-z0-9]([.][a-z0-9]([-_a-z0-9]*[a-z0-9])?)*$/;
const ownDatabases = new Set(["mysql", "sys", "information_schema", "performance_schema"]);

function badNames(values: unknown): boolean {
  const users = entries(values, "users").map(([name]) => name);
  const databases = entries(values, "databases").map(([name]) => name);
  const members = roles(values).flatMap(({ admin, readonly }) => [...admin, ...readonly].map(String));
  return (
    [...users, ...databases, ...members].some((name) => !entryName.test(name) || name.length > 80) ||
    databases.some((name) => ownDatabases.has(name) || name.length > 64) ||
    users.includes("metrics")
  );
}

function sameName(values: unknown): boolean {
  const twice = (names: readonly string[]) => new Set(names).size < names.length;
  const spelled = (field: string) => entries(values, field).map(([name]) => name.replaceAll("_", "-"));
  const both = roles(values).some(({ admin, readonly }) => admin.some((user) => readonly.includes(user)));
  return both || twice(spelled("users")) || twice(spelled("databases"));
}

export const mariadb: readonly Deviation[] = [
  hook("batch/v1/Job"),
  hook("v1/ServiceAccount"),
  hook("rbac.authorization.k8s.io/v1/Role"),
  hook("rbac.authorization.k8s.io/v1/RoleBinding"),
  {
    class: "fault",
    cases: "all",
    object: cronJob,
    at: `${podTemplate}/spec/containers/*/env/*/valueFrom/secretKeyRef`,
    only: "differs",
    reason:
      "The dump takes the superuser's password from the Secret that has it; upstream named a Secret that nothing makes, so that no dump ever ran.",
  },
  {
    class: "design",
    cases: "all",
    object: cronJob,
    at: `${podTemplate}/metadata/annotations/checksum~1secret`,
    only: "missing",
    reason:
      "The checksum of the dump's credentials is left out: whoever may read the object could try passwords against it. Each run reads the credentials anew without it.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "accepts",
    when: (values) => entries(values, "databases").some(([, database]) => valueAt(database, "roles") === undefined),
    test: "a database without roles is one that nobody was given",
    reason: "A database without `roles` made upstream's template fail; it is one that nobody was given.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: "v1/Secret/{release}-credentials",
    at: "/stringData/*",
    only: "differs",
    when: (values) => entries(values, "users").some(([, user]) => isNoText(String(valueAt(user, "password") ?? ""))),
    test: "passwords stay the texts they are",
    reason:
      "A password that YAML takes for a number or a boolean is kept as text; upstream's Secret was refused by the API server.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: badNames,
    test: "refuses a database of the server itself",
    reason:
      "Users and databases are refused whose names no object, server or operator takes; upstream failed in the middle of installing, or dropped a database of the server with the application.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: sameName,
    test: "refuses a user with two roles in one database",
    reason:
      "Users, databases or roles whose objects would have one name are refused; upstream made one object twice, of which the last won.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => valueAt(values, "backup", "enabled") === true && valueAt(values, "backup", "schedule") === "",
    test: "refuses dumps without a schedule",
    reason: "Dumps without a schedule are refused; upstream's CronJob was refused by the API server.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => Number(valueAt(values, "replicas")) < 0,
    test: "refuses a negative number of replicas",
    reason: "A negative number of replicas is refused; upstream handed it to the operator.",
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
