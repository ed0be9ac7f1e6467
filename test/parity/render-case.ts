/**
 * Renders the application of a case.
 */
import { isRecord } from "../../src/kube/json.ts";
import { apiVersionOf, type UnknownObject } from "../../src/kube/object.ts";
import type { App, AppInstance } from "../../src/sdk/app.ts";
import type { AppContext } from "../../src/sdk/context.ts";
import { Refusal } from "../../src/sdk/errors.ts";
import type { Policy } from "../../src/sdk/manifest.ts";
import type { Answers } from "../../src/sdk/needs.ts";
import { caseAnswers } from "./answers.ts";
import type { ParityCase } from "./case.ts";

/** A manifest whose object is as it goes to the API server. */
export interface RenderedManifest {
  readonly object: UnknownObject;
  readonly policy: Policy;
}

/** What came of a case. `waits`: a required object does not exist, so the controller would not render yet. */
export type Outcome =
  | {
      readonly is: "rendered";
      readonly manifests: readonly RenderedManifest[];
      /** Required objects that were taken to exist. */
      readonly assumed: readonly UnknownObject[];
    }
  | { readonly is: "refused"; readonly code: string; readonly message: string }
  | { readonly is: "waits"; readonly on: string };

/**
 * The namespaces above a tenant's, root first. Parsed out of the name, which is right only for upstream's naming: the
 * program itself has them as data.
 */
export function ancestorsOf(namespace: string): readonly string[] {
  const parts = namespace.split("-");
  if (parts[0] !== "tenant" || namespace === "tenant-root") return [];
  return ["tenant-root", ...parts.slice(2).map((_, index) => parts.slice(0, index + 2).join("-"))];
}

export function contextOf(testCase: ParityCase): AppContext {
  const value = (name: string) => testCase.namespace[name] ?? "";
  return {
    cluster: testCase.cluster,
    namespace: {
      host: value("host"),
      etcd: value("etcd"),
      ingress: value("ingress"),
      gateway: value("gateway"),
      monitoring: value("monitoring"),
      seaweedfs: value("seaweedfs"),
      schedulingClass: value("schedulingClass"),
    },
    tenant: { namespace: testCase.release.namespace, ancestors: ancestorsOf(testCase.release.namespace) },
    chartVersion: testCase.chart.version,
    apis: new Set(testCase.apis),
  };
}

/** The application's name: the release's without the prefix of its kind. */
export function nameOf(testCase: ParityCase, app: Pick<App, "release">): string {
  const { name } = testCase.release;
  if (!name.startsWith(app.release)) throw new Error(`release ${name} does not begin with ${app.release}`);
  return name.slice(app.release.length);
}

/** Required objects that the case does not have, with nothing but their names. */
function absentOf(instance: AppInstance, answers: Answers, namespace: string): readonly UnknownObject[] {
  return instance.needs.flatMap((need) => {
    if (need.type !== "object" || !need.required) return [];
    if (answers.object(need.kind, need.name, need.namespace) !== undefined) return [];
    const place = need.kind.namespaced ? { namespace: need.namespace ?? namespace } : {};
    return [{ apiVersion: apiVersionOf(need.kind), kind: need.kind.kind, metadata: { name: need.name, ...place } }];
  });
}

/** Objects go through JSON, as they do on their way to the API server: what is undefined is not there. */
function onTheWire(object: object): UnknownObject {
  const value: unknown = JSON.parse(JSON.stringify(object));
  if (!isObject(value)) throw new Error("a rendered object has no apiVersion, kind or name");
  return value;
}

function isObject(value: unknown): value is UnknownObject {
  return (
    isRecord(value) &&
    typeof value["apiVersion"] === "string" &&
    typeof value["kind"] === "string" &&
    isRecord(value["metadata"]) &&
    typeof value["metadata"]["name"] === "string"
  );
}

/**
 * Renders a case. `assume` says of a required object that the case lacks whether it is taken to exist all the same.
 * Throws what is no {@link Refusal}: a fault of the application.
 */
export function renderCase(
  testCase: ParityCase,
  app: App,
  assume: (object: UnknownObject) => boolean = () => false,
): Outcome {
  const namespace = testCase.release.namespace;
  try {
    const instance = app.instance(
      { name: nameOf(testCase, app), namespace, spec: testCase.values },
      contextOf(testCase),
    );
    const seed = `${testCase.app}/${testCase.case}`;
    const given = caseAnswers(testCase.existing, namespace, instance.needs, seed);
    const absent = absentOf(instance, given, namespace);
    const on = absent.find((object) => !assume(object));
    if (on !== undefined) return { is: "waits", on: `${on.kind} ${on.metadata.name}` };
    const answers = caseAnswers([...testCase.existing, ...absent], namespace, instance.needs, seed);
    const manifests = instance.render(answers).map(({ object, policy }) => ({ object: onTheWire(object), policy }));
    return { is: "rendered", manifests, assumed: absent };
  } catch (error) {
    if (error instanceof Refusal) return { is: "refused", code: error.code, message: error.message };
    throw error;
  }
}
