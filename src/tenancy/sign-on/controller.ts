/**
 * Lets the people into a tenant's Grafana that its Monitoring lists, by Grafana's own API, and says in condition
 * `UsersReady` how that went. A Monitoring without a list is left alone, and so are the members of its Grafana.
 */

import { randomBytes } from "node:crypto";
import { Secret } from "../../contracts/core.ts";
import { Grafana } from "../../contracts/grafana-integreatly-org.ts";
import type { Client } from "../../kube/client.ts";
import { defineKind } from "../../kube/define-kind.ts";
import { isApiError } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Outcome, workQueue } from "../../kube/queue.ts";
import { secretText } from "../../kube/secret-text.ts";
import type { Stores } from "../../kube/stores.ts";
import { timestamp, type World } from "../../kube/world.ts";
import { type Condition, conditionsOf } from "../../reconcile/status.ts";
import { type Account, GrafanaError, grafanaApi } from "./grafana-api.ts";
import { reconcileMembers, type Wanted } from "./members.ts";

/** Kinds of which the controller reads more than metadata, besides applications. */
export const signOnSources = [Grafana] as const;

interface MonitoringObject extends KubeObject {
  readonly spec?: {
    readonly oidc?: {
      readonly mode?: string;
      readonly customConfig?: { readonly secretRef?: { readonly name?: string } };
      readonly users?: readonly Wanted[];
    };
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}

const Monitoring = defineKind<MonitoringObject>({
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind: "Monitoring",
  plural: "monitorings",
  namespaced: true,
});

const NAME = "monitoring";
const CONDITION = "UsersReady";

/** Grafana cannot be watched: what people change there by hand is found after so many milliseconds. */
const LOOK_AGAIN = 600_000;

/** Until a Grafana that is starting answers. */
const STARTING = 5_000;

export interface SignOnOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  /** Address of the Grafana of a namespace. Default: its Service, by its name in the cluster. Never from what a tenant wrote. */
  readonly grafanaAt?: (namespace: string) => string;
  /** Which namespaces are looked after. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  readonly onError?: (namespace: string, error: unknown) => void;
}

const inCluster = (namespace: string): string => `http://grafana-service.${namespace}.svc:3000`;

/** Who is to have access; undefined: nobody is listed, and Grafana's members are none of our business. */
export function listedIn({ spec }: Pick<MonitoringObject, "spec">): readonly Wanted[] | undefined {
  const { mode = "None", customConfig, users = [] } = spec?.oidc ?? {};
  const own = customConfig?.secretRef?.name ?? "";
  return mode === "None" || own !== "" || users.length === 0 ? undefined : users;
}

/** Runs until the signal is aborted. */
export async function runSignOn(options: SignOnOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, grafanaAt = inCluster, scope = () => true, onError } = options;
  const monitorings = stores.use(Monitoring);
  const grafanas = stores.use(Grafana);
  /** What was done last in a namespace, and when: statuses change more often than lists. */
  const done = new Map<string, { readonly what: string; readonly at: number }>();

  /** Writes the condition where the store has another one; undefined takes it away. False: it changed meanwhile. */
  async function tell(
    { metadata, status }: MonitoringObject,
    said: Pick<Condition, "status" | "reason" | "message"> | undefined,
  ): Promise<boolean> {
    const all = conditionsOf(status);
    const before = all.find(({ type }) => type === CONDITION);
    const observedGeneration = metadata.generation ?? 0;
    const isSaid =
      before?.status === said?.status &&
      before?.reason === said?.reason &&
      before?.message === said?.message &&
      (before === undefined || before.observedGeneration === observedGeneration);
    if (isSaid) return true;
    const others = all.filter(({ type }) => type !== CONDITION);
    const lastTransitionTime = before?.status === said?.status ? before?.lastTransitionTime : undefined;
    const ours =
      said === undefined
        ? []
        : [
            {
              type: CONDITION,
              ...said,
              lastTransitionTime: lastTransitionTime ?? timestamp(world),
              observedGeneration,
            },
          ];
    const change = {
      // Others write conditions too: of two lists that do not know of each other one would be lost.
      metadata: { uid: metadata.uid, resourceVersion: metadata.resourceVersion },
      status: { conditions: [...others, ...ours] },
    };
    try {
      const written = await client.mergePatch(Monitoring, NAME, metadata.namespace, change, {
        subresource: "status",
      });
      monitorings.store.assume(written);
      return true;
    } catch (error) {
      if (isApiError(error, "NotFound")) return true;
      if (isApiError(error, "Conflict")) return false;
      throw error;
    }
  }

  async function accountOf(namespace: string): Promise<Account | undefined> {
    const secret = await client.get(Secret, "grafana-admin-password", namespace);
    const [user, password] = [secretText(secret, "user"), secretText(secret, "password")];
    return user === "" || password === "" ? undefined : { user, password };
  }

  async function work(namespace: string, ending: AbortSignal): Promise<Outcome> {
    const monitoring = monitorings.store.get(NAME, namespace);
    if (!scope(namespace) || monitoring === undefined || monitoring.metadata.deletionTimestamp !== undefined) {
      done.delete(namespace);
      return { is: "done" };
    }
    const users = listedIn(monitoring);
    if (users === undefined) return (await tell(monitoring, undefined)) ? { is: "done" } : { is: "again", after: 200 };
    const grafana = grafanas.store.get("grafana", namespace);
    const what = [monitoring.metadata.uid, monitoring.metadata.generation, grafana?.metadata.uid].join(" ");
    const last = done.get(namespace);
    const left = last?.what === what ? last.at + LOOK_AGAIN - world.monotonic() : 0;
    if (left > 0) return { is: "again", after: left };
    const account = grafana?.status?.stage === "complete" ? await accountOf(namespace) : undefined;
    if (account === undefined) {
      const message = "Grafana is not up yet";
      const told = await tell(monitoring, { status: "False", reason: "WaitingForGrafana", message });
      return told ? { is: "done" } : { is: "again", after: 200 };
    }
    try {
      const api = grafanaApi(grafanaAt(namespace), account, ending);
      await reconcileMembers(api, users, account.user, () => randomBytes(24).toString("base64url"));
    } catch (error) {
      if (!(error instanceof GrafanaError)) throw error;
      const said = { status: "False", reason: error.code, message: `${error.message}. ${error.remedy}` } as const;
      const told = await tell(monitoring, said);
      if (!told) return { is: "again", after: 200 };
      return error.status === undefined ? { is: "failed", error, after: STARTING } : { is: "failed", error };
    }
    const count = users.length === 1 ? "one person has" : `${users.length} people have`;
    const message = `${count} access to Grafana, besides its administrator`;
    const told = await tell(monitoring, { status: "True", reason: "UsersReconciled", message });
    if (!told) return { is: "again", after: 200 };
    done.set(namespace, { what, at: world.monotonic() });
    return { is: "again", after: LOOK_AGAIN };
  }

  const queue = workQueue({ world, concurrency: 4, work, ...(onError === undefined ? {} : { onError }) });
  monitorings.store.subscribe(({ object }) => queue.add(object.metadata.namespace ?? ""));
  grafanas.store.subscribe(({ object }) => queue.add(object.metadata.namespace ?? ""));
  try {
    await Promise.all([monitorings.store, grafanas.store].map((store) => store.ready(signal)));
    await queue.run(signal);
  } finally {
    for (const { release } of [monitorings, grafanas]) release();
  }
}
