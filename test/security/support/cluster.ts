/**
 * A cluster with the platform in it, our server registered, and tenants around one that the tests look from:
 * `tenant-up` with `tenant-up-own` and `tenant-up-side` in it, and `tenant-up-own-low` below the first.
 */
import { apps } from "../../../src/apps/index.ts";
import { runControllers } from "../../../src/cli/controllers.ts";
import type { Client } from "../../../src/kube/client.ts";
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import { systemWorld } from "../../../src/kube/world.ts";
import { installPlatform } from "../../../src/platform/install.ts";
import { tenantNamespace } from "../../../src/sdk/names.ts";
import { kindOf } from "../../schema/install.ts";
import { appOf, isReady } from "../../support/cloud.ts";
import { eventually } from "../../support/eventually.ts";
import { type ServerEngine, serverEngine } from "../../support/server-engine.ts";
import type { Role } from "../access/table.ts";

/** Namespaces by what they are to the tenant looked from. */
export const places = {
  own: "tenant-up-own",
  child: "tenant-up-own-low",
  parent: "tenant-up",
  sibling: "tenant-up-side",
  root: "tenant-root",
  system: "cozy-system",
  kube: "kube-system",
  public: "cozy-public",
} as const;
export type Place = keyof typeof places;

export interface SecurityCluster {
  readonly engine: ServerEngine;
  readonly admin: Client;
  /** The API with a role's own credentials. */
  as(role: Role): Client;
  /** Token of the tenant's own account. */
  readonly accountToken: string;
  /** Nothing is worked on any more: what tests put into the cluster stays as they put it. */
  stopControllers(): Promise<void>;
  /** The opposite. */
  startControllers(): void;
}

/** User and groups of a role that people have. */
export function personOf(role: Exclude<Role, "account">, namespace: string = places.own) {
  const level = role === "none" ? [] : [`${namespace}-${role}`];
  return { user: `${role}@example.org`, groups: [...level, "system:authenticated"] };
}

async function tokenOf(admin: Client, account: string, namespace: string): Promise<string> {
  const answer = await admin.raw("POST", `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: 36_000 },
  });
  const token = valueAt(answer, "status", "token");
  if (typeof token !== "string") throw new Error("the API server gave no token");
  return token;
}

const order = [
  ["up", "tenant-root"],
  ["own", "tenant-up"],
  ["side", "tenant-up"],
  ["low", "tenant-up-own"],
] as const;

/** Takes about 15 s. @param atEnd as that of serverEngine */
export async function securityCluster(atEnd?: (end: () => Promise<void>) => void): Promise<SecurityCluster> {
  const engine = await serverEngine(atEnd);
  const admin = engine.client();
  await installPlatform(admin, { twin: true });
  const server = await engine.serve();
  await server.registered;
  let running: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;
  function startControllers(): void {
    const stop = new AbortController();
    const client = engine.client("cozystack");
    const options = { client, world: systemWorld, signal: stop.signal, apps, log: () => undefined };
    running = { stop, ended: runControllers(options).catch(() => undefined) };
  }
  async function stopControllers(): Promise<void> {
    running?.stop.abort();
    await running?.ended;
    running = undefined;
  }
  startControllers();
  const Tenant = kindOf(appOf("Tenant"));
  await eventually("the root tenant is ready", async () => isReady(await admin.get(Tenant, "root", "tenant-root")), 60);
  for (const [name, namespace] of order) {
    await admin.create(Tenant, Tenant(name, { namespace, spec: {} }));
    await eventually(`${tenantNamespace(namespace, name)} is ready`, async () =>
      isReady(await admin.get(Tenant, name, namespace)),
    );
  }
  const accountToken = await tokenOf(admin, places.own, places.own);
  const account = admin.as({ token: accountToken });
  const clients = new Map<Role, Client>([["account", account]]);
  return {
    engine,
    admin,
    accountToken,
    as(role) {
      const known = clients.get(role);
      if (known !== undefined) return known;
      const made = role === "account" ? account : admin.as(personOf(role));
      clients.set(role, made);
      return made;
    },
    stopControllers,
    startControllers,
  };
}

/** What is served, by discovery. */
export interface Served {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly subresource?: string;
  readonly verbs: readonly string[];
}

/** Every resource and subresource, each group in the version that it prefers. */
export async function served(admin: Client): Promise<readonly Served[]> {
  const answer = valueAt(await admin.raw("GET", "/apis"), "groups");
  const preferred = (Array.isArray(answer) ? answer : []).flatMap((group) => {
    const version = valueAt(group, "preferredVersion", "groupVersion");
    return typeof version === "string" ? [version] : [];
  });
  const found = await Promise.all(["v1", ...preferred].map((version) => resourcesOf(admin, version)));
  return found.flat();
}

async function resourcesOf(admin: Client, groupVersion: string): Promise<readonly Served[]> {
  const [group = "", version = ""] = groupVersion.includes("/") ? groupVersion.split("/") : ["", groupVersion];
  const resources = valueAt(
    await admin.raw("GET", group === "" ? `/api/${version}` : `/apis/${groupVersion}`),
    "resources",
  );
  return (Array.isArray(resources) ? resources : []).flatMap((resource) => {
    if (!isRecord(resource)) return [];
    const { name, kind, namespaced, verbs } = resource;
    if (typeof name !== "string" || typeof kind !== "string" || !Array.isArray(verbs)) return [];
    const [plural = "", subresource] = name.split("/");
    return [
      {
        group,
        version,
        plural,
        kind,
        namespaced: namespaced === true,
        ...(subresource === undefined ? {} : { subresource }),
        verbs: verbs.map(String),
      },
    ];
  });
}
