/**
 * Every object of every rendered parity case is accepted by an API server that has the operators' real definitions, under
 * strict validation. An engine of its own: in the shared one the same kinds are served from our contracts.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import test, { after, before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Engine, startEngine } from "../../embedded/engine.ts";
import { apps } from "../../src/apps/index.ts";
import { kindByGroupKind } from "../../src/contracts/index.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import { Namespace } from "../../src/kube/kinds/core.ts";
import { CustomResourceDefinition } from "../../src/kube/kinds/extension.ts";
import { PersistentVolumeClaim, StorageClass } from "../../src/kube/kinds/storage.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { type AnyKind, groupOf, type UnknownObject } from "../../src/kube/object.ts";
import { realCrd } from "../contracts/real-crds.ts";
import { loadCases, type ParityCase } from "../parity/case.ts";
import { keyOfObject } from "../parity/compare.ts";
import { deviations } from "../parity/deviations.ts";
import { assumedBy } from "../parity/judge.ts";
import { type RenderedManifest, renderCase } from "../parity/render-case.ts";

const cases = loadCases(resolve(import.meta.dirname, "../../../shared/parity"));

interface RenderedCase {
  readonly testCase: ParityCase;
  readonly manifests: readonly RenderedManifest[];
}

const byKind = new Map(apps.map((app) => [app.kind, app]));
const rendered: readonly RenderedCase[] = (cases ?? []).flatMap((testCase) => {
  const app = byKind.get(testCase.kind);
  if (app === undefined || testCase.expectError !== undefined) return [];
  const assume = (object: UnknownObject) => assumedBy(deviations[testCase.app] ?? [], testCase, object) !== undefined;
  const outcome = renderCase(testCase, app, assume);
  return outcome.is === "rendered" ? [{ testCase, manifests: outcome.manifests }] : [];
});

function kindOf(object: UnknownObject): AnyKind {
  const group = groupOf(object.apiVersion);
  const app = apps.find((one) => one.group === group && one.kind === object.kind);
  const kind = kindByGroupKind(group, object.kind) ?? (app && { ...app, version: "v1alpha1", namespaced: true });
  assert.ok(kind, `${object.apiVersion} ${object.kind} is no known kind`);
  return kind;
}

/** The definitions of all kinds that are rendered: the real ones, and ours for applications. */
function definitions(): readonly CustomResourceDefinition[] {
  const kinds = new Map(
    rendered
      .flatMap(({ manifests }) => manifests.map(({ object }) => kindOf(object)))
      .map((kind) => [`${kind.plural}.${kind.group}`, kind]),
  );
  return [...kinds.values()].flatMap((kind) => {
    const real = realCrd(kind.group, kind.plural);
    if (real !== undefined) return [real];
    const app = apps.find((one) => one.group === kind.group && one.kind === kind.kind);
    return app === undefined ? [] : [app.crd()].filter(isDefinition);
  });
}

function isDefinition(object: object): object is CustomResourceDefinition {
  return "spec" in object;
}

let engine: Engine;
let client: Client;
const dataDir = join(mkdtempSync(join(tmpdir(), "strict-")), "data");

before(async () => {
  if (rendered.length === 0) return;
  engine = await startEngine({ dataDir, fsync: false, components: ["etcd", "kube-apiserver"] });
  client = connect({
    ...loadKubeconfig(engine.kubeconfigPath),
    fieldManager: "cozystack-test",
    userAgent: "cozystack-test",
  });
  const namespaces = new Set(
    rendered.flatMap(({ testCase, manifests }) => [
      testCase.release.namespace,
      ...manifests.flatMap(({ object }) => object.metadata.namespace ?? []),
    ]),
  );
  await Promise.all([...namespaces].map((name) => client.apply(Namespace, Namespace(name))));
  await Promise.all(definitions().map((crd) => client.apply(CustomResourceDefinition, crd)));
  for (const crd of definitions()) {
    for (;;) {
      const live = await client.get(CustomResourceDefinition, crd.metadata.name);
      if (live?.status?.conditions?.some((one) => one.type === "Established" && one.status === "True")) break;
      await sleep(20);
    }
  }
});

after(async () => {
  if (rendered.length === 0) return;
  await client.close();
  await engine.stop();
  rmSync(join(dataDir, ".."), { recursive: true, force: true });
});

/** Applies without storing; the answer's complaint, undefined when the object is accepted. */
async function complaint(testCase: ParityCase, { object, policy }: RenderedManifest): Promise<string | undefined> {
  const kind = kindOf(object);
  const namespace = object.metadata.namespace ?? testCase.release.namespace;
  const placed = kind.namespaced ? { ...object, metadata: { ...object.metadata, namespace } } : object;
  const key = keyOfObject(object, testCase.release.namespace);
  try {
    // A patch needs what it is made for; the case has it.
    const live = testCase.existing.find((one) => keyOfObject(one, testCase.release.namespace) === key);
    if (policy === "patchExisting" && live !== undefined) await makeLive(kind, live, namespace);
    await client.apply(kind, placed, { dryRun: true, fieldValidation: "Strict" });
    if (policy === "patchExisting" && live !== undefined) await client.delete(kind, live.metadata.name, namespace);
    return undefined;
  } catch (error) {
    if (isApiError(error)) return `${key}: ${error.message}`;
    throw error;
  }
}

/** Stores an object of the case; a claim is bound and can grow, as it was where the case comes from. */
async function makeLive(kind: AnyKind, object: UnknownObject, namespace: string): Promise<void> {
  const { uid: _, ...metadata } = object.metadata;
  const live = { ...object, metadata: { ...metadata, namespace } };
  await client.create(kind, live);
  if (kind.kind !== PersistentVolumeClaim.kind) return;
  const bound: UnknownObject = {
    apiVersion: live.apiVersion,
    kind: live.kind,
    metadata: { name: metadata.name, namespace },
    status: { phase: "Bound" },
  };
  await client.apply(kind, bound, { subresource: "status" });
  const className = valueAt(live, "spec", "storageClassName");
  if (typeof className !== "string") return;
  const growing = StorageClass(className, { provisioner: "example.org/none", allowVolumeExpansion: true });
  await client.apply(StorageClass, growing);
}

test("there are cases to try", { skip: cases === undefined && "no ../shared/parity" }, () => {
  assert.ok(rendered.length > 0);
});

for (const { testCase, manifests } of rendered) {
  test(`strict acceptance: ${testCase.app}/${testCase.case}`, { timeout: 60_000 }, async () => {
    const complaints: string[] = [];
    for (const manifest of manifests) {
      const found = await complaint(testCase, manifest);
      if (found !== undefined) complaints.push(found);
    }
    assert.deepEqual(complaints, []);
  });
}
