/**
 * Applications as people name them and as the cluster holds them.
 */
import type { Client } from "../kube/client.ts";
import { CozystackError, isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import type { AnyKind, KubeObject } from "../kube/object.ts";
import { kindOfApp } from "../reconcile/instance.ts";
import { type Condition, conditionsOf } from "../reconcile/status.ts";
import { nearest } from "../reconcile/unknown-fields.ts";
import type { App } from "../sdk/app.ts";

/** A word that names no kind of application. */
export class UnknownKindError extends CozystackError {
  /** @param where the word was written, in a file */
  constructor(word: string, apps: readonly App[], where?: string) {
    const near = nearest(
      word,
      apps.flatMap(({ kind, plural }) => [kind, plural]),
    );
    super(
      "UnknownKind",
      `${where === undefined ? "" : `${where}: `}${JSON.stringify(word)} is no kind of application${near === undefined ? "" : `; did you mean ${near}?`}`,
      "`cozystack explain` lists all kinds.",
    );
  }
}

export class ApplicationNotFoundError extends CozystackError {
  /** @param namespace where it was looked for; absent: everywhere */
  constructor(kind: string, name: string, namespace?: string) {
    super(
      "ApplicationNotFound",
      namespace === undefined
        ? `there is no ${kind} ${name} in any namespace`
        : `there is no ${kind} ${namespace}/${name}`,
      `See \`cozystack get ${kind} -A\`${namespace === undefined ? "." : ", and name its namespace with -n."}`,
    );
  }
}

/** The application of a kind as people write it: kind, plural or singular, upper case or lower, with its group or without. */
export function appNamed(word: string, apps: readonly App[]): App {
  const wanted = word.toLowerCase();
  const found = apps.find(({ kind, plural, singular, group }) =>
    [kind.toLowerCase(), plural, singular, `${plural}.${group}`, `${kind.toLowerCase()}.${group}`].includes(wanted),
  );
  if (found === undefined) throw new UnknownKindError(word, apps);
  return found;
}

/** The live application. Throws ApplicationNotFoundError. */
export async function applicationNamed(client: Client, app: App, name: string, namespace: string): Promise<KubeObject> {
  const object = await client.get(kindOfApp(app), name, namespace);
  if (object === undefined) throw new ApplicationNotFoundError(app.kind, name, namespace);
  return object;
}

/** All objects of a kind; none where the kind is not served. */
export async function listOf(
  client: Client,
  kind: AnyKind,
  namespace: string | undefined,
): Promise<readonly KubeObject[]> {
  try {
    const { items } = await client.list(kind, namespace === undefined ? {} : { namespace });
    return items;
  } catch (error) {
    if (isApiError(error, "Unserved")) return [];
    throw error;
  }
}

/** An application with its object. */
export interface Found {
  readonly app: App;
  readonly object: KubeObject;
}

/**
 * All objects of several kinds. Kinds that the caller may not see are left out, as a tenant's people see some only; where that
 * are all of them, what the API server says is thrown.
 */
export async function visibleOf(
  client: Client,
  apps: readonly App[],
  namespace: string | undefined,
): Promise<{ readonly found: readonly Found[]; readonly hidden: readonly App[] }> {
  const refusals = new Map<App, unknown>();
  const lists = await Promise.all(
    apps.map(async (app) => {
      try {
        return (await listOf(client, kindOfApp(app), namespace)).map((object) => ({ app, object }));
      } catch (error) {
        if (!isApiError(error, "Forbidden")) throw error;
        refusals.set(app, error);
        return [];
      }
    }),
  );
  const [first] = refusals.values();
  if (refusals.size > 0 && refusals.size === apps.length) throw notVisible(first, namespace);
  return { found: lists.flat(), hidden: [...refusals.keys()] };
}

/** Most often it was the namespace that was not meant. */
function notVisible(error: unknown, namespace: string | undefined): unknown {
  if (!isApiError(error)) return error;
  const place = namespace === undefined ? "in every namespace" : `in ${namespace}`;
  return new NotVisibleError(place, error);
}

/** Somebody of a tenant asks for what only others may see. */
class NotVisibleError extends CozystackError {
  constructor(place: string, cause: CozystackError) {
    super(
      "Forbidden",
      `you may not see applications ${place}`,
      "Name the namespace of your tenant with -n, or ask an administrator.",
      { cause },
    );
  }
}

/** How far an application is, by its own conditions. */
export interface Standing {
  readonly ready: "True" | "False" | "Unknown";
  readonly reason: string;
  readonly message: string;
  /** Whether waiting will not help. */
  readonly stalled: boolean;
}

/** Reads an application's standing; one that was not looked at yet is `Unknown`, reason `Pending`. */
export function standingOf(object: KubeObject): Standing {
  const conditions = conditionsOf(valueAt(object, "status"));
  const find = (type: string): Condition | undefined => conditions.find((condition) => condition.type === type);
  const ready = find("Ready");
  const generation = object.metadata.generation ?? 0;
  const isCurrent = ready !== undefined && (ready.observedGeneration ?? 0) >= generation;
  if (ready === undefined) {
    return { ready: "Unknown", reason: "Pending", message: "not looked at yet", stalled: false };
  }
  if (!isCurrent) {
    const [reason, message] =
      object.metadata.deletionTimestamp === undefined
        ? ["Pending", "the last change was not looked at yet"]
        : ["Deleting", "is being deleted"];
    return { ready: "Unknown", reason, message, stalled: false };
  }
  const stalled = find("Stalled");
  const isStalled = stalled?.status === "True";
  // Of two reasons, the one that a person must do something about.
  const { reason, message } = isStalled ? stalled : ready;
  return { ready: ready.status, reason, message, stalled: isStalled };
}

/** Whether the application serves as its spec says. */
export function isReady(object: KubeObject): boolean {
  return standingOf(object).ready === "True";
}
