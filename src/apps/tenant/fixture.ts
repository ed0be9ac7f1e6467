/** For the tests of this folder: a Tenant rendered in surroundings that a test names. */
import assert from "node:assert/strict";
import type { KubeObject } from "../../kube/object.ts";
import type { AppContext, NamespaceValues, TenantPlace } from "../../sdk/context.ts";
import type { Manifest } from "../../sdk/manifest.ts";
import type { Answers } from "../../sdk/needs.ts";
import { tenant } from "./index.ts";

export const values: NamespaceValues = {
  host: "example.org",
  etcd: "tenant-root",
  ingress: "tenant-root",
  gateway: "",
  monitoring: "tenant-root",
  seaweedfs: "tenant-root",
  schedulingClass: "",
};
export const rootPlace: TenantPlace = { namespace: "tenant-root", ancestors: [] };
export const APIS = ["v1.edp.epam.com/v1", "cozystack.io/v1alpha1"];

export interface Given {
  readonly name?: string;
  readonly spec?: object;
  readonly parent?: TenantPlace;
  readonly values?: Partial<NamespaceValues>;
  readonly cluster?: AppContext["cluster"];
  readonly apis?: readonly string[];
  readonly existing?: readonly KubeObject[];
}

export function answersOf(existing: readonly KubeObject[]): Answers {
  return {
    object(kind, name, namespace) {
      const found = existing.find(
        (object) =>
          object.kind === kind.kind && object.metadata.name === name && object.metadata.namespace === namespace,
      );
      return found === undefined ? undefined : kindred(found);
    },
    list: () => [],
    generated: () => assert.fail("a tenant generates nothing"),
  };
}
// The case's author promises objects of the right kind.
function kindred<T extends KubeObject>(object: KubeObject): T;
function kindred(object: KubeObject): KubeObject {
  return object;
}

export function instance(given: Given) {
  const context: AppContext = {
    cluster: given.cluster ?? { "root-host": "example.org" },
    namespace: { ...values, ...given.values },
    tenant: given.parent ?? rootPlace,
    chartVersion: "0.0.0",
    apis: new Set(given.apis ?? APIS),
  };
  const object = { name: given.name ?? "foo", namespace: context.tenant.namespace, spec: given.spec ?? {} };
  return tenant.instance(object, context);
}

export function render(given: Given): readonly Manifest[] {
  return instance(given).render(answersOf(given.existing ?? []));
}

export function find(manifests: readonly Manifest[], kind: string, name: string): KubeObject {
  const found = manifests.find(({ object }) => object.kind === kind && object.metadata.name === name);
  assert.ok(found, `${kind} ${name} is rendered`);
  return found.object;
}
export const names = (manifests: readonly Manifest[], kind: string): readonly string[] =>
  manifests.filter(({ object }) => object.kind === kind).map(({ object }) => object.metadata.name);

export const below: TenantPlace = { namespace: "tenant-a-b", ancestors: ["tenant-root", "tenant-a"] };
