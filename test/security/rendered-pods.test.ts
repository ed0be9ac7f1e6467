/** What applications run touches nothing of the machine below: every pod template that is rendered anywhere. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isRecord } from "../../src/kube/json.ts";
import { corpus, withCases } from "./corpus.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Template {
  readonly of: string;
  readonly pod: Fields;
}

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const at = (value: Fields, key: string): Fields => (isRecord(value[key]) ? value[key] : {});

/** Whatever has containers, at any depth: operators' kinds carry templates of pods as well. */
function templatesIn(value: unknown, of: string): readonly Template[] {
  if (Array.isArray(value)) return value.flatMap((each) => templatesIn(each, of));
  if (!isRecord(value)) return [];
  const own = list(value["containers"]).some(
    (each) => typeof each["image"] === "string" || typeof each["name"] === "string",
  );
  return [...(own ? [{ of, pod: value }] : []), ...Object.values(value).flatMap((each) => templatesIn(each, of))];
}

const objects = corpus();
const templates = objects.flatMap(({ object }) =>
  templatesIn(JSON.parse(JSON.stringify(object)), `${object.kind} ${object.metadata.name}`),
);
const containersOf = (pod: Fields) => [...list(pod["containers"]), ...list(pod["initContainers"])];
const security = (value: Fields) => at(value, "securityContext");

interface Check {
  readonly what: string;
  readonly found: (pod: Fields) => boolean;
  /** Objects that have it, and why. */
  readonly but?: Readonly<Record<string, string>>;
}

const checks: readonly Check[] = [
  { what: "privileged", found: (pod) => containersOf(pod).some((c) => security(c)["privileged"] === true) },
  { what: "host PID", found: (pod) => pod["hostPID"] === true },
  { what: "host IPC", found: (pod) => pod["hostIPC"] === true },
  { what: "host network", found: (pod) => pod["hostNetwork"] === true },
  { what: "hostPath", found: (pod) => list(pod["volumes"]).some((volume) => volume["hostPath"] !== undefined) },
  {
    what: "hostPort",
    found: (pod) => containersOf(pod).some((c) => list(c["ports"]).some((port) => Number(port["hostPort"] ?? 0) !== 0)),
  },
  {
    what: "capabilities",
    found: (pod) => containersOf(pod).some((c) => Array.isArray(at(security(c), "capabilities")["add"])),
    but: {
      ClickHouseInstallation: "The backup server links and owns files of the database's account; all else is dropped.",
    },
  },
  {
    what: "root by name",
    found: (pod) => security(pod)["runAsUser"] === 0 || containersOf(pod).some((c) => security(c)["runAsUser"] === 0),
    but: {
      ClickHouseInstallation: "The backup server, as above; without escalation, under seccomp.",
      FoundationDBBackup:
        "The operator's agents, as upstream runs them; the sidecar that fetches their binaries writes as root.",
    },
  },
  {
    what: "escalation by name",
    found: (pod) => containersOf(pod).some((c) => security(c)["allowPrivilegeEscalation"] === true),
  },
];

describe("pods that applications render", () => {
  test("there are some", () => assert.ok(templates.length > 20, `${templates.length}`));
  for (const { what, found, but = {} } of checks) {
    test(`no ${what}${Object.keys(but).length > 0 ? ", with exceptions that have a reason" : ""}`, () => {
      const having = templates.filter(({ pod }) => found(pod)).map(({ of }) => of);
      const kinds = new Set(having.map((of) => of.split(" ")[0] ?? ""));
      const unexplained = having.filter((of) => !Object.hasOwn(but, of.split(" ")[0] ?? ""));
      assert.deepEqual([...new Set(unexplained)], []);
      // Without the parity cases nothing may show what is explained.
      if (withCases)
        assert.deepEqual(
          Object.keys(but).filter((kind) => !kinds.has(kind)),
          [],
        );
    });
  }

  test("no Service of type NodePort", () => {
    const services = objects
      .filter(({ object }) => object.kind === "Service")
      .map(({ object }) => JSON.parse(JSON.stringify(object)));
    assert.ok(services.length > 5);
    assert.deepEqual(
      services.filter(({ spec }) => spec?.type === "NodePort" || spec?.externalIPs !== undefined),
      [],
    );
  });
});
