/**
 * One write of a migration, sent until it is done or cannot be. Whatever happened meanwhile is read before it is sent again:
 * an answer that was lost is no reason to write twice, an object that changed is judged anew.
 */
import type { CallOptions, Client } from "../../kube/client.ts";
import { isApiError, isTransient } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import { backoff, type World } from "../../kube/world.ts";
import { MigrationError, nameText } from "./errors.ts";
import {
  type CreateWrite,
  type DeleteWrite,
  type EditWrite,
  type MigrationWrite,
  objectOf,
  patchOf,
} from "./writes.ts";

export interface ExecuteOptions {
  readonly client: Client;
  readonly world: World;
  readonly signal?: AbortSignal;
}

const ATTEMPTS = 8;
const RETRY_BASE_MS = 50;
const RETRY_CAP_MS = 2_000;

/** Whether the object was not, or may not have been, what the write was made for. */
const mayBeStale = (error: unknown): boolean => isApiError(error, "Conflict", "Invalid", "NotFound");

/** True when something was written; false when there was nothing left to do. @throws ApiError */
export async function execute(write: MigrationWrite, options: ExecuteOptions): Promise<boolean> {
  const call = options.signal === undefined ? {} : { signal: options.signal };
  let sent = false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const done = await attemptOnce(write, options.client, call, attempt === 1);
      return done || sent;
    } catch (error) {
      if (error instanceof RefusedAsItIs) throw error.cause;
      const again = isTransient(error) || mayBeStale(error);
      if (!again || attempt >= ATTEMPTS) throw error;
      if (isApiError(error) && error.ambiguous) sent = true;
      await options.world.sleep(
        backoff(attempt, RETRY_BASE_MS, RETRY_CAP_MS, () => options.world.random()),
        options.signal,
      );
    }
  }
}

function attemptOnce(write: MigrationWrite, client: Client, call: CallOptions, first: boolean): Promise<boolean> {
  switch (write.do) {
    case "edit":
      return edit(write, client, call, first);
    case "create":
      return create(write, client, call);
    case "delete":
      return remove(write, client, call);
  }
}

/** The object as it is now, if it is still the same one. */
async function same({ kind, live }: EditWrite | DeleteWrite, client: Client, call: CallOptions) {
  const now: KubeObject | undefined = await client.get(kind, live.metadata.name, live.metadata.namespace, call);
  return now?.metadata.uid === live.metadata.uid ? now : undefined;
}

async function edit(write: EditWrite, client: Client, call: CallOptions, first: boolean): Promise<boolean> {
  const live = first ? write.live : await same(write, client, call);
  if (live === undefined) return false;
  const edits = write.edits(live);
  if (edits.length === 0) return false;
  const { name, namespace } = live.metadata;
  const { subresource } = write;
  try {
    await client.jsonPatch(write.kind, name, namespace, patchOf(live, edits), {
      ...call,
      ...(subresource === undefined ? {} : { subresource }),
    });
  } catch (error) {
    // A test that failed is told from a value that is refused by the version that is live.
    if (!isApiError(error, "Invalid")) throw error;
    const now = await same(write, client, call);
    if (now === undefined) return false;
    if (now.metadata.resourceVersion === live.metadata.resourceVersion) throw new RefusedAsItIs(error);
    throw error;
  }
  return true;
}

/** An answer that repeating would not change. */
class RefusedAsItIs extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

async function create({ kind, object, manager }: CreateWrite, client: Client, call: CallOptions): Promise<boolean> {
  const options = { ...call, ...(manager === undefined ? {} : { fieldManager: manager }) };
  const live = await client.getMetadata(kind, object.metadata.name, object.metadata.namespace, call);
  if (live !== undefined) return false;
  try {
    // What a later apply is to take fields away from must come by an apply; without force it overwrites nothing.
    if (manager === undefined) await client.create(kind, object, options);
    else await client.apply(kind, object, { ...options, force: false });
  } catch (error) {
    if (isApiError(error, "AlreadyExists")) return false;
    throw error;
  }
  return true;
}

async function remove(write: DeleteWrite, client: Client, call: CallOptions): Promise<boolean> {
  const live = await same(write, client, call);
  if (live === undefined || live.metadata.deletionTimestamp !== undefined) return false;
  if (write.may?.(live) === false) {
    throw new MigrationError(
      "MigrationNotDone",
      `${nameText(objectOf(write))} changed back before it could be deleted`,
      "Look for who writes to it (its managedFields say so), and begin again.",
    );
  }
  const { name, namespace, uid, resourceVersion } = live.metadata;
  return client.delete(write.kind, name, namespace, {
    ...call,
    propagation: write.propagation ?? "Background",
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  });
}
