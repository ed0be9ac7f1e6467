/** Small policies and what they are tried on; what they mean is in the documentation of Kubernetes and Cilium. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../src/kube/object.ts";
import { type Peer, type PodPeer, reaches } from "./policy.ts";

const pod = (namespace: string, labels: PodPeer["labels"] = {}): PodPeer => ({
  is: "pod",
  namespace,
  labels,
  namespaceLabels: { team: namespace },
});
export const a = pod("a", { app: "web" });
export const a2 = pod("a", { app: "db" });
export const b = pod("b", { app: "web" });
export const world: Peer = { is: "entity", entity: "world", address: "192.0.2.7" };
export const node: Peer = { is: "entity", entity: "host" };
export const apiserver: Peer = { is: "entity", entity: "kube-apiserver" };
export const http = { port: 80, protocol: "TCP" } as const;

const object = (kind: string, namespace: string | undefined, spec: object): KubeObject & { readonly spec: object } => ({
  apiVersion: "x/v1",
  kind,
  metadata: { name: "p", ...(namespace === undefined ? {} : { namespace }) },
  spec,
});
export const cilium = (spec: object, namespace = "a") =>
  object("CiliumNetworkPolicy", namespace, { endpointSelector: {}, ...spec });
export const clusterwide = (spec: object) =>
  object("CiliumClusterwideNetworkPolicy", undefined, { endpointSelector: {}, ...spec });
export const kubernetes = (spec: object, namespace = "a") =>
  object("NetworkPolicy", namespace, { podSelector: {}, ...spec });

export interface Row {
  readonly why: string;
  readonly policies: readonly KubeObject[];
  readonly from: Peer;
  readonly to: Peer;
  readonly port?: { readonly port: number; readonly protocol: "TCP" | "UDP" };
  readonly reaches: boolean;
}

export const inA = { matchLabels: { "k8s:io.kubernetes.pod.namespace": "a" } };
export const inB = { matchLabels: { "k8s:io.kubernetes.pod.namespace": "b" } };
export const onTcp = (port: string) => ({ toPorts: [{ ports: [{ port, protocol: "TCP" }] }] });

/** A test for each row. */
export function tryRows(rows: readonly Row[]): void {
  for (const { why, policies, from, to, port = http, reaches: expected } of rows) {
    test(`evaluator: ${why}`, () => assert.equal(reaches(policies, from, to, port), expected));
  }
}
