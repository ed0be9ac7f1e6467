/**
 * Keeps tenants' gateways: namespaces whose routes they serve, what listens, certificates, and what routes and the gateway
 * itself say. A key for each gateway; everything comes from watches, those of namespaces too, so that a new tenant is served at once.
 */
import { Certificate, Issuer } from "../../contracts/cert-manager-io.ts";
import { Namespace } from "../../contracts/core.ts";
import { TenantGateway } from "../../contracts/gateway-cozystack-io.ts";
import { Gateway, HTTPRoute, TLSRoute } from "../../contracts/gateway-networking-k8s-io.ts";
import type { Client } from "../../kube/client.ts";
import { CozystackError, isApiError } from "../../kube/errors.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import { type Outcome, workQueue } from "../../kube/queue.ts";
import type { Change } from "../../kube/store.ts";
import type { Stores } from "../../kube/stores.ts";
import { timestamp, type World } from "../../kube/world.ts";
import { canonical } from "../../reconcile/digest.ts";
import { Children } from "./children.ts";
import { attachedNamespaces, childApexes, claimedHostnames, claimsOn, isMeant } from "./claims.ts";
import { roomFor } from "./listeners.ts";
import { ATTACHED_BY, FINALIZER, GATEWAY_LABEL, placeOf, type Route, type TenantGatewayObject } from "./names.ts";
import { attachment, detached, detachment, labelledFor } from "./namespaces.ts";
import { certificatesOf, GatewayProblem, gatewayOf, issuerOf, redirectOf } from "./objects.ts";
import { parentsOf } from "./route-status.ts";
import { failedStatus, statusOf } from "./status.ts";

export interface GatewaysOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  /** Which namespaces this controller acts in. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  readonly mayAct?: () => boolean;
  readonly onError?: (what: string, error: unknown) => void;
}

/** Kinds that the controller reads more of than names and labels. */
export const gatewaySources: readonly AnyKind[] = [TenantGateway, Gateway, HTTPRoute, TLSRoute];

export const gatewayManager = "cozystack-gateways";

/** Runs until the signal is aborted. */
export async function runGateways(options: GatewaysOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, scope = () => true, mayAct = () => true, onError } = options;
  const gatewayUse = stores.use(TenantGateway);
  const liveUse = stores.use(Gateway);
  const issuerUse = stores.useMetadata(Issuer);
  const certificateUse = stores.useMetadata(Certificate);
  const httpUse = stores.use(HTTPRoute);
  const tlsUse = stores.use(TLSRoute);
  const namespaceUse = stores.useMetadata(Namespace);
  const uses = [gatewayUse, liveUse, issuerUse, certificateUse, httpUse, tlsUse, namespaceUse];
  const [gateways, namespaces] = [gatewayUse.store, namespaceUse.store];
  const children = new Children(client, gatewayManager);
  const by = { fieldManager: gatewayManager };
  const now = (): string => timestamp(world);

  const queue = workQueue({
    world,
    concurrency: 4,
    groupOf: (key) => key,
    work,
    ...(onError === undefined ? {} : { onError: (key, error) => onError(`gateway ${key}`, error) }),
  });
  const keyOf = (object: KubeObject): string => `${placeOf(object)}/${object.metadata.name}`;
  const wake = (gateway: TenantGatewayObject): void => {
    if (scope(placeOf(gateway))) queue.add(keyOf(gateway));
  };
  const routes = (): readonly Route[] => [...httpUse.store.list(), ...tlsUse.store.list()];
  let isReady = false;

  async function work(key: string): Promise<Outcome> {
    if (!mayAct()) return { is: "again", after: 1_000 };
    if (!isReady) await Promise.all(uses.map(({ store }) => store.ready(signal)));
    isReady = true;
    const [namespace = "", name = ""] = key.split("/");
    const gateway = gateways.get(name, namespace);
    if (gateway === undefined) return { is: "done" };
    try {
      return gateway.metadata.deletionTimestamp === undefined ? await keep(gateway) : await letGo(gateway);
    } catch (error) {
      if (isApiError(error, "Conflict")) return { is: "again", after: 100 };
      if (isApiError(error, "NotFound", "NamespaceTerminating")) return { is: "again", after: 5_000 };
      const message = error instanceof CozystackError ? `${error.message}. ${error.remedy}` : String(error);
      await report(gateway, failedStatus(gateway, message, now()));
      if (error instanceof GatewayProblem) return { is: "again", after: 60_000 };
      throw error;
    }
  }

  async function keep(gateway: TenantGatewayObject): Promise<Outcome> {
    const { finalizers = [] } = gateway.metadata;
    if (!finalizers.includes(FINALIZER)) {
      await patchFinalizers(gateway, [...finalizers, FINALIZER]);
      return { is: "done" };
    }
    if (liveUse.store.state.is === "unserved")
      throw new GatewayProblem("this cluster has no Gateway API: nothing can be served", "Install Gateway API.");
    if (gateway.spec?.certMode !== "existingSecret" && certificateUse.store.state.is === "unserved")
      throw new GatewayProblem("this cluster has no cert-manager: nobody issues certificates", "Install cert-manager.");
    const surroundings = { namespaces: namespaces.list(), routes: routes() };
    const claims = claimsOn(gateway, surroundings);
    await label(gateway);
    const { within, outside } = claimedHostnames(gateway, claims);
    const room = roomFor(gateway);
    const served = { hostnames: within.slice(0, room), children: childApexes(gateway, surroundings.namespaces) };
    const wanted = gatewayOf(gateway, served);
    const issuer = issuerOf(gateway);
    const certificates = certificatesOf(gateway, served);
    await children.keep(Gateway, wanted, liveUse.store, gateway);
    if (issuer !== undefined) await children.keep(Issuer, issuer, issuerUse.store, gateway);
    for (const certificate of certificates)
      await children.keep(Certificate, certificate, certificateUse.store, gateway);
    await children.prune(Issuer, issuer === undefined ? [] : [issuer], issuerUse.store, gateway);
    await children.prune(Certificate, certificates, certificateUse.store, gateway);
    for (const route of surroundings.routes) await tell(route, gateway, claims);
    await children.keep(HTTPRoute, redirectOf(gateway), httpUse.store, gateway);
    const live = liveUse.store.get(wanted.metadata.name, placeOf(gateway));
    const left = [
      ...within.slice(room).map((hostname) => ({ hostname, reason: "TooManyListeners" as const })),
      ...outside.map((hostname) => ({ hostname, reason: "OutsideDomain" as const })),
    ];
    await report(gateway, statusOf(gateway, wanted, live, left, now()));
    return { is: "done" };
  }

  /** Gives namespaces the label by which their routes may attach, and takes it away from those that are no longer named. */
  async function label(gateway: TenantGatewayObject): Promise<void> {
    const own = placeOf(gateway);
    const all = namespaces.list();
    const wanted = labelledFor(gateway, gateways.list(), all);
    for (const name of wanted) {
      const namespace = namespaces.get(name);
      const applied = namespace === undefined ? undefined : attachment(namespace, own);
      if (applied !== undefined) namespaces.assume(await client.apply(namespaces.kind, applied, by));
    }
    for (const namespace of detached(gateway, wanted, all)) await detach(namespace, own);
  }

  async function detach(namespace: KubeObject, gateway: string): Promise<void> {
    const { name } = namespace.metadata;
    try {
      namespaces.assume(await client.mergePatch(namespaces.kind, name, undefined, detachment(namespace, gateway), by));
    } catch (error) {
      if (!isApiError(error, "NotFound")) throw error;
    }
  }

  async function tell(
    route: Route,
    gateway: TenantGatewayObject,
    claims: Parameters<typeof parentsOf>[2],
  ): Promise<void> {
    const parents = parentsOf(route, gateway, claims, now());
    if (parents === undefined || route.metadata.deletionTimestamp !== undefined) return;
    const { name, namespace, uid, resourceVersion } = route.metadata;
    const patch = { metadata: { uid, resourceVersion }, status: { parents } };
    const write = { ...by, subresource: "status" } as const;
    try {
      if (route.kind === HTTPRoute.kind)
        httpUse.store.assume(await client.mergePatch(HTTPRoute, name, namespace, patch, write));
      else tlsUse.store.assume(await client.mergePatch(TLSRoute, name, namespace, patch, write));
    } catch (error) {
      if (!isApiError(error, "NotFound")) throw error;
    }
  }

  async function report(gateway: TenantGatewayObject, status: object): Promise<void> {
    if (canonical(gateway.status ?? {}) === canonical(status)) return;
    const { name, namespace, uid } = gateway.metadata;
    const patch = { metadata: { uid }, status };
    try {
      gateways.assume(await client.mergePatch(TenantGateway, name, namespace, patch, { ...by, subresource: "status" }));
    } catch (error) {
      if (!isApiError(error, "NotFound", "Conflict")) throw error;
    }
  }

  /** Its objects go with it; what was written to namespaces and routes of others is taken back. */
  async function letGo(gateway: TenantGatewayObject): Promise<Outcome> {
    const { finalizers = [] } = gateway.metadata;
    if (!finalizers.includes(FINALIZER)) return { is: "done" };
    for (const namespace of detached(gateway, [], namespaces.list())) await detach(namespace, placeOf(gateway));
    for (const route of routes()) await tell(route, gateway, []);
    await patchFinalizers(
      gateway,
      finalizers.filter((one) => one !== FINALIZER),
    );
    // Namespaces that it kept from another gateway are that one's now.
    for (const other of gateways.list()) if (other !== gateway) wake(other);
    return { is: "done" };
  }

  async function patchFinalizers({ metadata }: TenantGatewayObject, finalizers: readonly string[]): Promise<void> {
    const { name, namespace, resourceVersion } = metadata;
    const patch = { metadata: { resourceVersion, finalizers } };
    try {
      gateways.assume(await client.mergePatch(TenantGateway, name, namespace, patch, by));
    } catch (error) {
      if (!isApiError(error, "NotFound")) throw error;
    }
  }

  const onChild = ({ type, object }: Change<KubeObject>): void => {
    if (type === "deleted") children.forget(object.metadata.uid);
    for (const { kind, name } of object.metadata.ownerReferences ?? []) {
      if (kind === TenantGateway.kind && scope(placeOf(object))) queue.add(`${placeOf(object)}/${name}`);
    }
  };
  const onRoute = (change: Change<Route>): void => {
    if (!gateways.hasSynced) return;
    const seen = change.type === "modified" ? [change.object, change.previous] : [change.object];
    const refs = seen.flatMap((route) =>
      (route.spec?.parentRefs ?? []).map((ref) => ({ ref, namespace: placeOf(route) })),
    );
    for (const gateway of gateways.list())
      if (refs.some(({ ref, namespace }) => isMeant(ref, namespace, gateway))) wake(gateway);
  };
  const marks = ({ metadata }: KubeObject): string =>
    canonical([metadata.labels ?? {}, metadata.annotations?.[ATTACHED_BY] ?? "", metadata.deletionTimestamp ?? ""]);
  const onNamespace = (change: Change<KubeObject>): void => {
    if (!gateways.hasSynced) return;
    const { object } = change;
    if (change.type === "modified" && marks(object) === marks(change.previous)) return;
    const seen = change.type === "modified" ? [object, change.previous] : [object];
    const served = new Set(
      seen.flatMap(({ metadata }) => [metadata.labels?.[GATEWAY_LABEL], metadata.annotations?.[ATTACHED_BY]]),
    );
    for (const gateway of gateways.list()) {
      if (served.has(placeOf(gateway)) || attachedNamespaces(gateway).includes(object.metadata.name)) wake(gateway);
    }
  };
  gateways.subscribe(({ object }) => wake(object));
  liveUse.store.subscribe(onChild);
  issuerUse.store.subscribe(onChild);
  certificateUse.store.subscribe(onChild);
  httpUse.store.subscribe((change) => {
    onChild(change);
    onRoute(change);
  });
  tlsUse.store.subscribe(onRoute);
  namespaces.subscribe(onNamespace);
  liveUse.store.onState(() => {
    if (gateways.hasSynced) for (const gateway of gateways.list()) wake(gateway);
  });
  try {
    await queue.run(signal);
  } finally {
    for (const { release } of uses) release();
  }
}
