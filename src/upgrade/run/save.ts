/**
 * Saves our own objects before an upgrade: orders, inventories, the platform's configuration and the definitions of all of them,
 * in one file that kubectl can apply. Secrets are not in it: their values are in the cluster's own backups or nowhere.
 */
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, writeSync } from "node:fs";
import { join } from "node:path";
import { ConfigMap } from "../../contracts/core.ts";
import { ownKinds } from "../../contracts/index.ts";
import type { Client } from "../../kube/client.ts";
import { CustomResourceDefinition } from "../../kube/core-kinds.ts";
import { isApiError } from "../../kube/errors.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import type { App } from "../../sdk/app.ts";
import { stampObject } from "../versions.ts";

export interface SaveOptions {
  readonly client: Client;
  readonly apps: readonly App[];
  /** Made where it does not exist, for its owner alone. */
  readonly directory: string;
  /** RFC 3339, for the file's name. */
  readonly at: string;
  readonly signal?: AbortSignal;
}

export interface Saved {
  readonly file: string;
  readonly sha256: string;
  readonly objects: number;
}

/** Writes the file; it has its name once it is whole and on the disk. */
export async function saveOwnObjects({ client, apps, directory, at, signal }: SaveOptions): Promise<Saved> {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const file = join(directory, `cozystack-${at.replaceAll(":", "")}.json`);
  const handle = openSync(`${file}.part`, "wx", 0o600);
  const digest = createHash("sha256");
  let objects = 0;
  const write = (text: string): void => {
    digest.update(text);
    writeSync(handle, text);
  };
  try {
    write('{"apiVersion":"v1","kind":"List","items":[');
    for await (const object of ownObjects(client, apps, signal)) {
      write(`${objects === 0 ? "" : ","}\n${JSON.stringify(restorable(object))}`);
      objects += 1;
    }
    write("\n]}\n");
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(`${file}.part`, file);
  return { file, sha256: digest.digest("hex"), objects };
}

async function* ownObjects(
  client: Client,
  apps: readonly App[],
  signal: AbortSignal | undefined,
): AsyncGenerator<KubeObject, void, undefined> {
  const options = signal === undefined ? {} : { signal };
  const kinds: readonly AnyKind[] = [...ownKinds, ...apps.map(kindOfApp)];
  const names = new Set(kinds.map(({ plural, group }) => `${plural}.${group}`));
  for await (const { items } of client.pages(CustomResourceDefinition, options)) {
    yield* items.filter(({ metadata }) => names.has(metadata.name));
  }
  for await (const { items } of client.pages(ConfigMap, { ...options, namespace: stampObject.namespace })) yield* items;
  for (const kind of kinds) {
    try {
      for await (const { items } of client.pages(kind, options)) yield* items;
    } catch (error) {
      if (!isApiError(error, "Unserved")) throw error;
    }
  }
}

/** Without what only the API server may say. */
function restorable(object: KubeObject): object {
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata;
  return { ...object, metadata };
}
