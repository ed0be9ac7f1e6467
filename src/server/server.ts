/**
 * The server: the aggregated API `core.cozystack.io/v1alpha1` and the gate of tenants' budgets on one listener, with room
 * for other webhooks. It keeps nothing: any number of replicas serve the same.
 */
import type { Client } from "../kube/client.ts";
import { APIService, ClusterRole, ClusterRoleBinding, Namespace, RoleBinding } from "../kube/core-kinds.ts";
import type { Stores } from "../kube/stores.ts";
import { openStores } from "../kube/stores.ts";
import { systemWorld, type World } from "../kube/world.ts";
import { SYSTEM } from "../platform/base-objects.ts";
import { clusterValuesOf } from "../platform/cluster-values.ts";
import { followDefinitions } from "../platform/external/definitions.ts";
import type { App } from "../sdk/app.ts";
import { contextSource } from "../tenancy/index.ts";
import type { Gate } from "../tenancy/quota/gate.ts";
import { gateSecret, openGate } from "../tenancy/quota/open-gate.ts";
import { text } from "./answer.ts";
import { apiRoutes } from "./api.ts";
import { servingSecret } from "./certificates/secret.ts";
import { followFrontProxy } from "./front-proxy.ts";
import { coreApi } from "./group.ts";
import { type Listener, listen, type Route } from "./listener.ts";
import { objectStoreNames } from "./object-store-names.ts";
import { apiServiceName, type Location, type Reach, type Registration, registrar } from "./registration.ts";
import type { Resource } from "./resource.ts";
import { applicationPlans } from "./resources/application-plan/resource.ts";
import { openSources } from "./resources/option/open-source.ts";
import { options } from "./resources/option/resource.ts";
import { optionSources } from "./resources/option/sources.ts";
import { openModules, tenantModules } from "./resources/tenant-module.ts";
import { tenantNamespaces } from "./resources/tenant-namespace.ts";
import { tenantSecrets } from "./resources/tenant-secret/resource.ts";
import { tenantBudgets } from "./tenant-budgets.ts";
import { openTenants } from "./visibility/tenants.ts";

export interface ServerOptions {
  /** May read and write all that is served, whoever asks; see `access.ts` for what that takes. */
  readonly client: Client;
  /** Shared with the rest of the process. Default: the server's own, ended with it. */
  readonly stores?: Stores;
  readonly apps: readonly App[];
  /** Version of the program, as the controllers know it. */
  readonly version: string;
  /** Field manager of the controllers: plans are theirs. */
  readonly controllerManager: string;
  readonly reach: Reach;
  /** Address to listen on. Default: 127.0.0.1 for `loopback`, all addresses for `pods`. */
  readonly host?: string;
  /** Default: any free port for `loopback`, `reach.targetPort` for `pods`. */
  readonly port?: number;
  /** Webhooks and whatever else is served on the same listener. */
  readonly routes?: readonly Route[];
  /** What these need in the API server; kept current with the listener's place and authority. */
  readonly registrations?: readonly Registration[];
  /** Ends the server. */
  readonly signal: AbortSignal;
  readonly world?: World;
  /** Take the registration away in the end. For a server that is the only one: others keep it. Default false. */
  readonly unregister?: boolean;
  /** Told of faults and of what is tried again. */
  readonly onError?: (what: string, error: unknown) => void;
}

export interface Server {
  readonly port: number;
  /** Resolves when the API server serves what we serve and asks the gate. Rejects when that cannot be brought about. */
  readonly registered: Promise<void>;
  /** Resolves when the server has ended after an abort of its signal. */
  readonly ended: Promise<void>;
}

/** Name of the Service and of what belongs to it. */
const NAME = "cozystack-api";

/** Where an APIService's port is on a cluster; a Service of our own may have any. */
const servicePort = 443;

/** Starts to listen, then registers as soon as everything is known that is served. Rejects when the port is taken. */
export async function startServer(given: ServerOptions): Promise<Server> {
  const { client, apps, reach, routes = [], world = systemWorld, onError = () => undefined } = given;
  const stop = new AbortController();
  const signal = AbortSignal.any([given.signal, stop.signal]);
  const told = (what: string) => (error: unknown) => {
    if (!signal.aborted) onError(what, error);
  };
  const stores =
    given.stores ??
    openStores({ client, signal, world, onError: (kind, error) => told(`store of ${kind.kind}`)(error) });
  const hosts = [`${NAME}.${SYSTEM}.svc`, `${NAME}.${SYSTEM}`, "localhost", "127.0.0.1"];
  const certificates = await servingSecret({
    client,
    stores,
    world,
    signal,
    name: `${NAME}-tls`,
    namespace: SYSTEM,
    hosts,
    onError: told("serving certificate"),
  });

  const tenants = openTenants({
    namespaces: stores.useMetadata(Namespace).store,
    bindings: stores.use(RoleBinding).store,
    roles: stores.use(ClusterRole).store,
    clusterBindings: stores.use(ClusterRoleBinding).store,
    world,
    signal,
  });
  const served = followDefinitions(stores, apps);
  const modules = openModules({ stores, world, signal, apps: served, defined: served.ready(signal) });
  const contexts = contextSource({
    stores,
    chartVersion: given.version,
    clusterValues: clusterValuesOf,
    onError: told("platform values"),
  });
  const resources: readonly Resource[] = [
    tenantNamespaces(tenants, world),
    tenantModules(modules.view, world),
    tenantSecrets(client),
    options(openSources(optionSources(apps), stores, world, signal), world),
    applicationPlans({ client, apps: served, contexts, controllerManager: given.controllerManager }),
  ];
  let gate: Gate | undefined;
  const secret = await gateSecret(client);
  const budgets = tenantBudgets({ gate: () => gate, secret });
  const names = objectStoreNames({ client, secret });
  const registrations = [...(given.registrations ?? [])];
  let ready = false;
  const probe = (is: () => boolean) => () => (is() ? text("ok") : text("not ready", 503));
  const listener: Listener = await listen({
    host: given.host ?? (reach.by === "loopback" ? "127.0.0.1" : "::"),
    port: given.port ?? (reach.by === "loopback" ? 0 : reach.targetPort),
    serving: certificates.current.serving,
    routes: [
      ...apiRoutes({ ...coreApi, resources }, { now: world.now, stopping: signal }),
      { path: "/livez", for: "anyone", handle: probe(() => true) },
      { path: "/readyz", for: "anyone", handle: probe(() => ready) },
      budgets.route,
      names.route,
      ...routes,
    ],
    onError: told("request"),
  });
  certificates.onChange(({ serving }) => listener.setServing(serving));

  const location = (): Location => ({
    namespace: SYSTEM,
    service: NAME,
    port: reach.by === "loopback" ? listener.port : servicePort,
    caBundle: Buffer.from(certificates.current.bundle, "utf8").toString("base64"),
  });
  const { store: apiServices } = stores.use(APIService, { fieldSelector: `metadata.name=${apiServiceName}` });
  const registration = registrar({
    client,
    world,
    signal,
    reach,
    location,
    registrations,
    apiServices,
    onError: told("registration"),
  });
  const start = async (): Promise<void> => {
    const proxy = followFrontProxy(stores, signal, (found) => listener.setFrontProxy(found), told("front proxy"));
    await Promise.all([proxy, tenants.synced, modules.synced]);
    ready = true;
    await registration.register();
    gate = await openGate({ client, stores, world, contexts, onError }, signal);
    // The API server asks it only now that it can answer.
    registrations.push(budgets.registration, names.registration);
    await registration.register();
    certificates.onChange(() => void registration.register().catch(told("registration")));
  };
  const end = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      if (given.signal.aborted) resolve();
      else given.signal.addEventListener("abort", () => resolve(), { once: true });
    });
    ready = false;
    if (given.unregister === true) await client.delete(APIService, apiServiceName).catch(() => false); // the guard will
    stop.abort();
    await listener.close();
  };
  const registered = start();
  registered.catch(() => undefined); // told to whoever waits for it
  return { port: listener.port, registered, ended: end() };
}
