/** Renders an application for a test: needs answered from a list of objects, randomness from a counter. */
import { createHash } from "node:crypto";
import { groupOf, type KubeObject } from "../../src/kube/object.ts";
import type { App, AppInstance } from "../../src/sdk/app.ts";
import type { AppContext, NamespaceValues, TenantPlace } from "../../src/sdk/context.ts";
import type { Manifest } from "../../src/sdk/manifest.ts";
import type { Answers, GeneratedSecret } from "../../src/sdk/needs.ts";

/** The tenant `tenant-foo` below root, which uses root's modules. */
export const namespaceValues: NamespaceValues = {
  host: "foo.example.org",
  etcd: "tenant-root",
  ingress: "tenant-root",
  gateway: "",
  monitoring: "tenant-root",
  seaweedfs: "tenant-root",
  schedulingClass: "",
};

export interface RenderGiven {
  readonly name?: string;
  readonly spec?: unknown;
  readonly place?: TenantPlace;
  readonly values?: Partial<NamespaceValues>;
  readonly cluster?: AppContext["cluster"];
  readonly chartVersion?: string;
  /** API groups with version that the cluster serves besides the platform's own. */
  readonly apis?: readonly string[];
  /** Everything that exists. Without a namespace: in the application's. */
  readonly existing?: readonly KubeObject[];
}

// Who wrote the object promises that it is of the kind it says.
function kindred<T extends KubeObject>(object: KubeObject): T;
function kindred(object: KubeObject): KubeObject {
  return object;
}

const decoded = (object: KubeObject | undefined): Readonly<Record<string, string>> => {
  const data = object !== undefined && "data" in object ? object.data : undefined;
  if (typeof data !== "object" || data === null) return {};
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(String(value), "base64").toString("utf8")]),
  );
};

/** Answers from `existing`; generated values differ by Secret, key and `seed` and are otherwise the same every time. */
export function answersFrom(
  existing: readonly KubeObject[],
  namespace: string,
  instance: AppInstance,
  seed = "",
): Answers {
  const at = (object: KubeObject) => object.metadata.namespace ?? namespace;
  const find = (group: string, kind: string, name: string, where: string | undefined) =>
    existing.find(
      (object) =>
        groupOf(object.apiVersion) === group &&
        object.kind === kind &&
        object.metadata.name === name &&
        (where === undefined || at(object) === where),
    );
  return {
    object(kind, name, where) {
      const found = find(kind.group, kind.kind, name, kind.namespaced ? (where ?? namespace) : undefined);
      return found === undefined ? undefined : kindred(found);
    },
    list(kind, labels, where) {
      return existing
        .filter((object) => groupOf(object.apiVersion) === kind.group && object.kind === kind.kind)
        .filter((object) => !kind.namespaced || at(object) === (where ?? namespace))
        .filter((object) => Object.entries(labels).every(([key, value]) => object.metadata.labels?.[key] === value))
        .map((object) => kindred(object));
    },
    generated(name): GeneratedSecret {
      const live = decoded(find("", "Secret", name, namespace));
      const request = instance.needs.find((need) => need.type === "generated" && need.name === name);
      const generators = request?.type === "generated" ? request.values : {};
      const made = Object.entries(generators).map(([key, generate]) => {
        let count = 0;
        const random = (bytes: number) => {
          const blocks = Array.from({ length: Math.ceil(bytes / 32) }, () => {
            count += 1;
            return createHash("sha256").update(`${seed}/${name}/${key}/${count}`).digest();
          });
          return new Uint8Array(Buffer.concat(blocks).subarray(0, bytes));
        };
        return [key, generate(random)] as const;
      });
      return { name, values: { ...Object.fromEntries(made), ...live }, existing: new Set(Object.keys(live)) };
    },
  };
}

export interface RenderedApp {
  readonly instance: AppInstance;
  readonly manifests: readonly Manifest[];
  readonly objects: readonly KubeObject[];
  /** The manifest of the one object of a kind and name; undefined when it is not rendered. */
  manifest(kind: string, name: string): Manifest | undefined;
  /** Its object as parsed JSON. */
  object(kind: string, name: string): unknown;
}

/** One instance of `app`, `demo` in `tenant-foo` unless told otherwise. */
export function renderApp(app: App, given: RenderGiven = {}, seed = ""): RenderedApp {
  const place = given.place ?? { namespace: "tenant-foo", ancestors: ["tenant-root"] };
  const context: AppContext = {
    cluster: given.cluster ?? {},
    namespace: { ...namespaceValues, ...given.values },
    tenant: place,
    chartVersion: given.chartVersion ?? "0.0.0",
    apis: new Set(["cozystack.io/v1alpha1", ...(given.apis ?? [])]),
  };
  const object = { name: given.name ?? "demo", namespace: place.namespace, spec: given.spec ?? {} };
  const instance = app.instance(object, context);
  const manifests = instance.render(answersFrom(given.existing ?? [], place.namespace, instance, seed));
  const manifest = (kind: string, name: string) =>
    manifests.find(({ object: each }) => each.kind === kind && each.metadata.name === name);
  return {
    instance,
    manifests,
    objects: manifests.map((each) => each.object),
    manifest,
    object(kind, name) {
      const found = manifest(kind, name)?.object;
      return found === undefined ? undefined : JSON.parse(JSON.stringify(found));
    },
  };
}
