/**
 * Where rabbitmq differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import { kebabCase } from "../../../src/sdk/kebab.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

const entries = (values: unknown, field: string): readonly (readonly [string, unknown])[] => {
  const map = valueAt(values, field);
  return isRecord(map) ? Object.entries(map) : [];
};

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** What YAML reads as something else than a text. */
const isNoText = (text: string) => text !== "" && (!Number.isNaN(Number(text)) || /^(true|false|null|~)$/i.test(text));

function unquoted(values: unknown): boolean {
  return entries(values, "users").some(
    ([user, fields]) => isNoText(user) || isNoText(String(valueAt(fields, "password") ?? "")),
  );
}

const entryName = /^[-_ A-Za-z0-9]*[A-Za-z0-9]([.][A-Za-z0-9]([-_ A-Za-z0-9]*[A-Za-z0-9])?)*$/;

function namesOf(values: unknown): readonly string[] {
  const members = entries(values, "vhosts").flatMap(([, vhost]) => [
    ...list(valueAt(vhost, "roles", "admin")),
    ...list(valueAt(vhost, "roles", "readonly")),
  ]);
  return [
    ...entries(values, "users").map(([name]) => name),
    ...entries(values, "vhosts").map(([name]) => name),
    ...members.map(String),
  ];
}

function twoRoles(values: unknown): boolean {
  return entries(values, "vhosts").some(([, vhost]) => {
    const readonly = list(valueAt(vhost, "roles", "readonly"));
    return list(valueAt(vhost, "roles", "admin")).some((user) => readonly.includes(user));
  });
}

/** Whether two users or two virtual hosts end in one object, or a user in the operator's Secret of another. */
function sameName(values: unknown): boolean {
  const users = entries(values, "users").map(([name]) => kebabCase(name));
  const vhosts = entries(values, "vhosts").map(([name]) => kebabCase(name));
  const twice = (names: readonly string[]) => new Set(names).size < names.length;
  return twice(users) || twice(vhosts) || users.some((name) => users.includes(`${name}-user`));
}

export const rabbitmq: readonly Deviation[] = [
  {
    class: "fault",
    cases: "unseen",
    object: "v1/Secret/{release}-*-credentials",
    at: "/stringData/*",
    only: "differs",
    when: unquoted,
    test: "names and passwords stay the texts they are",
    reason:
      "A name or password that YAML takes for a number or a boolean is kept as text; upstream's Secret was refused by the API server, or lost its leading zeros.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) => namesOf(values).some((name) => !entryName.test(name)),
    test: "refuses a user of whom no object's name can be made",
    reason:
      "A user or virtual host of whose name no object's name can be made is refused; upstream's objects were refused by the API server in the middle of installing.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: sameName,
    test: "refuses users whose names become the same",
    reason:
      "Users or virtual hosts whose objects would have one name are refused; upstream made one object twice, or one that the operator overwrites.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: twoRoles,
    test: "refuses a user with two roles in one virtual host",
    reason: "A user that is admin and readonly of one virtual host is refused; upstream made one object twice.",
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
    class: "fault",
    cases: "unseen",
    edits: ["replicas"],
    test: "the server refuses: fewer servers",
    reason:
      "Fewer servers are refused; upstream took the change over, the operator refused it and from then on took up no change at all.",
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
