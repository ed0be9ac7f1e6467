/**
 * What of a cluster a rehearsal copies: every kind that we, the operators' parts and Kubernetes' own controllers go by. Left out
 * is what belongs to the machinery of one very cluster, or is made of the rest anew.
 */
import { builtinKinds, contractKinds } from "../../contracts/index.ts";
import { CustomResourceDefinition, Namespace } from "../../kube/core-kinds.ts";
import { defineKind } from "../../kube/define-kind.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import type { App } from "../../sdk/app.ts";

/** Which of a StatefulSet's pods are of which template. Read by Kubernetes alone. */
const ControllerRevision = defineKind<KubeObject>({
  group: "apps",
  version: "v1",
  kind: "ControllerRevision",
  plural: "controllerrevisions",
  namespaced: true,
});

/** With why each is left out. */
const leftOut: Readonly<Record<string, string>> = {
  "/Event": "says what was",
  "coordination.k8s.io/Lease": "held by processes that are not there",
  "/Endpoints": "follows from Services and pods",
  "discovery.k8s.io/EndpointSlice": "follows from Services and pods",
  "apiregistration.k8s.io/APIService": "its server is not there",
  "admissionregistration.k8s.io/MutatingWebhookConfiguration": "its server is not there",
  "admissionregistration.k8s.io/ValidatingWebhookConfiguration": "its server is not there",
};

const keyOf = ({ group, kind }: Pick<AnyKind, "group" | "kind">): string => `${group}/${kind}`;

const builtin = new Set([...builtinKinds, ControllerRevision].map(keyOf));

/** The kinds to copy, in this order: what others need comes first. */
export function copiedKinds(apps: readonly App[]): readonly AnyKind[] {
  const all: readonly AnyKind[] = [
    CustomResourceDefinition,
    Namespace,
    ...builtinKinds,
    ControllerRevision,
    ...contractKinds,
    ...apps.map(kindOfApp),
  ];
  const each = new Map(all.filter((kind) => leftOut[keyOf(kind)] === undefined).map((kind) => [keyOf(kind), kind]));
  return [...each.values()];
}

const unusualPrefixes: Readonly<Record<string, string>> = {
  "/Node": "minions",
  "/Service": "services/specs",
  "networking.k8s.io/Ingress": "ingress",
  "apiextensions.k8s.io/CustomResourceDefinition": "apiextensions.k8s.io/customresourcedefinitions",
};

/** Where the API server keeps an object in etcd. */
export function storageKey(kind: AnyKind, { metadata: { name, namespace } }: KubeObject): string {
  const own = builtin.has(keyOf(kind)) ? kind.plural : `${kind.group}/${kind.plural}`;
  const prefix = unusualPrefixes[keyOf(kind)] ?? own;
  return ["/registry", prefix, ...(kind.namespaced ? [namespace ?? ""] : []), name].join("/");
}
