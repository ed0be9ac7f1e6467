/**
 * A whole cloud on the shared test engine: the platform, its controllers and the twin, at work in a subtree of tenants that
 * is this test file's own. Several files may have one each at the same time.
 */
import { randomBytes } from "node:crypto";
import { after } from "node:test";
import { apps as catalogue } from "../../src/apps/index.ts";
import { ANCESTORS, valueLabels } from "../../src/apps/tenant/place.ts";
import { runControllers } from "../../src/cli/controllers.ts";
import { ConfigMap, Namespace } from "../../src/contracts/core.ts";
import { DataStore } from "../../src/contracts/kamaji-clastix-io.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { valueAt } from "../../src/kube/json.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import type { AnyKind, KubeObject } from "../../src/kube/object.ts";
import type { Request } from "../../src/kube/request.ts";
import { systemWorld } from "../../src/kube/world.ts";
import type { Condition } from "../../src/reconcile/status.ts";
import { conditionsOf } from "../../src/reconcile/status.ts";
import type { App } from "../../src/sdk/app.ts";
import { tenantNamespace } from "../../src/sdk/names.ts";
import { behavioursName, behavioursNamespace } from "../../src/twin/behaviours.ts";
import { startTwin } from "../../src/twin/index.ts";
import type { Behaviour } from "../../src/twin/player.ts";
import { type ApplicationObject, kindOf } from "../schema/install.ts";
import type { TestEngine } from "./engine.ts";
import { eventually } from "./eventually.ts";
import { everything, isWithin, listableKinds } from "./everything.ts";
import { freeNamespaces } from "./free-namespaces.ts";
import { platformEngine, platformOf } from "./platform.ts";

/** The application of a kind. */
export function appOf(kind: string): App {
  const app = catalogue.find((one) => one.kind === kind);
  if (app === undefined) throw new Error(`no application has the kind ${kind}`);
  return app;
}

export interface CloudOptions {
  /** See TwinOptions. Default 0: everything at once. */
  readonly pace?: number;
  /** Default true. */
  readonly twin?: boolean;
  /** Directory of the data of API servers that answer for Kubernetes clusters, two at most. Default: none answers. */
  readonly clusters?: string;
  /** Applications to serve, on an engine of the cloud's own. Default: the catalogue, on the shared one. */
  readonly apps?: readonly App[];
}

export interface Cloud {
  readonly engine: TestEngine;
  readonly admin: Client;
  /** Namespace at the top of the subtree; tenants are ordered in it. */
  readonly root: string;
  /** What controllers and twin said about failures so far. */
  readonly log: readonly string[];
  /** Writes of the controllers to objects of the subtree so far, oldest first. Leases and events are not among them. */
  readonly writes: readonly Request[];
  /** Orders a tenant, by the administrator, waits until it is ready and gives its namespace. */
  tenant(name: string, parent?: string, spec?: object): Promise<string>;
  /** The API as somebody with a level in a tenant sees it. */
  person(namespace: string, level?: "view" | "use" | "admin" | "super-admin"): Client;
  /** Orders an application as a super-admin of the namespace's tenant. */
  order(app: App, name: string, namespace: string, spec?: object): Promise<ApplicationObject>;
  get(app: App, name: string, namespace: string): Promise<ApplicationObject | undefined>;
  /** Merges into the application's spec. */
  change(app: App, name: string, namespace: string, spec: object): Promise<ApplicationObject>;
  /** Sets annotations; null takes one away. */
  annotate(
    app: App,
    name: string,
    namespace: string,
    annotations: Readonly<Record<string, string | null>>,
  ): Promise<void>;
  /** Waits until the application is Ready at its current generation. */
  ready(app: App, name: string, namespace: string, seconds?: number): Promise<ApplicationObject>;
  /** Deletes and waits until it is gone. */
  remove(app: App, name: string, namespace: string, seconds?: number): Promise<void>;
  /** Waits until the controllers have written nothing in the subtree for so many milliseconds. Default 1000. */
  rest(quiet?: number): Promise<void>;
  /** Every object in the subtree's namespaces, or of one tenant's, and every other that mentions them. */
  everything(root?: string): Promise<readonly KubeObject[]>;
  /** Address of the Grafana that the twin plays for a namespace. */
  readonly grafanaAt: ((namespace: string) => string) | undefined;
  /** Has the twin play one object, or all of a kind in a namespace (`-`), in another way. */
  behave(kind: string, namespace: string, name: string, behaviour: Behaviour): Promise<void>;
  stopControllers(): Promise<void>;
  /** Starts them anew, as another process would: nothing is remembered. */
  startControllers(): void;
}

/** The condition of that type as stored now. */
export function conditionOf(object: KubeObject | undefined, type: string): Condition | undefined {
  return conditionsOf(valueAt(object, "status")).find((condition) => condition.type === type);
}

/** Whether the application is Ready, at its current generation. */
export function isReady(object: KubeObject | undefined): boolean {
  const ready = conditionOf(object, "Ready");
  return ready?.status === "True" && ready.observedGeneration === object?.metadata.generation;
}

export async function startCloud({ pace = 0, twin = true, clusters, apps }: CloudOptions = {}): Promise<Cloud> {
  let running: { readonly abort: AbortController; readonly ended: Promise<void> } | undefined;
  const ending = new AbortController();
  let twinEnded = Promise.resolve();
  let grafanaAt: Cloud["grafanaAt"];
  const opened: Client[] = [];
  let tidy = () => Promise.resolve();
  // Registered before the engine's own, which closes the clients.
  after(async () => {
    await stop();
    ending.abort();
    await twinEnded;
    await tidy();
    await Promise.all(opened.map((client) => client.close()));
  });
  const engine = await (apps === undefined ? platformEngine() : platformOf(apps));
  const admin = engine.client("person");
  const root = `tenant-r${randomBytes(3).toString("hex")}`;
  const scope = (namespace: string) => isWithin(root, namespace);
  tidy = async () => {
    if (process.env["COZYSTACK_TEST_KUBECONFIG"] !== undefined) return; // the engine ends with the run
    const { items } = await admin.listMetadata(Namespace);
    const ours = items.map(({ metadata }) => metadata.name).filter(scope);
    await freeNamespaces(admin, ours);
  };
  const log: string[] = [];
  const writes: Request[] = [];
  const told = (line: string) => log.push(line);
  const open = (fieldManager: string, record: boolean): Client => {
    const client = connect({
      ...loadKubeconfig(engine.kubeconfig),
      fieldManager,
      intercept: (request) => {
        if (record && concerns(request, root)) writes.push(request);
        return undefined;
      },
    });
    opened.push(client);
    return client;
  };

  // Where control planes of tenants' clusters keep their objects: that of tenant-root, whose modules the subtree uses.
  await admin.apply(
    DataStore,
    DataStore("tenant-root", { spec: { driver: "etcd", endpoints: ["etcd.tenant-root.svc:2379"] } }),
  );
  await admin.create(
    Namespace,
    Namespace(root, {
      labels: valueLabels({
        // Short: domains of tenants below must fit into a label's value.
        host: `${root.slice(8)}.test`,
        etcd: "tenant-root",
        ingress: "tenant-root",
        gateway: "",
        monitoring: "tenant-root",
        seaweedfs: "tenant-root",
        schedulingClass: "",
      }),
      annotations: { [ANCESTORS]: "tenant-root" },
    }),
  );
  if (twin) {
    const onError = (what: string, error: unknown) => told(`twin: ${what}: ${String(error)}`);
    const played = await startTwin({
      client: open("twin", false),
      signal: ending.signal,
      pace,
      scope,
      onError,
      ...(clusters === undefined ? {} : { clusters: { directory: clusters, fsync: false } }),
    });
    twinEnded = played.ended;
    grafanaAt = played.grafanaAt;
  }

  function start(): void {
    const abort = new AbortController();
    const client = open("cozystack", true);
    const ended = runControllers({
      client,
      world: systemWorld,
      signal: abort.signal,
      apps: apps ?? catalogue,
      scope,
      log: told,
      ...(grafanaAt === undefined ? {} : { grafanaAt }),
    }).catch((error: unknown) => void told(`controllers: ${String(error)}`));
    running = { abort, ended };
  }
  async function stop(): Promise<void> {
    running?.abort.abort();
    await running?.ended;
    running = undefined;
  }
  start();

  const kinds: Promise<readonly AnyKind[]> = listableKinds(admin);
  const get: Cloud["get"] = (app, name, namespace) => admin.get(kindOf(app), name, namespace);
  const person: Cloud["person"] = (namespace, level = "super-admin") =>
    admin.as({ user: `${level}@example.org`, groups: [`${namespace}-${level}`, "system:authenticated"] });
  const ready: Cloud["ready"] = (app, name, namespace, seconds = 60) =>
    waitReady(`${app.kind} ${namespace}/${name}`, () => get(app, name, namespace), seconds);

  return {
    engine,
    admin,
    root,
    log,
    writes,
    get grafanaAt() {
      return grafanaAt;
    },
    person,
    get,
    ready,
    async tenant(name, parent = root, spec = {}) {
      const tenant = appOf("Tenant");
      await admin.create(kindOf(tenant), kindOf(tenant)(name, { namespace: parent, spec }));
      await ready(tenant, name, parent);
      return tenantNamespace(parent, name);
    },
    order: (app, name, namespace, spec = {}) => {
      const kind = kindOf(app);
      // Nobody is anybody in the topmost namespace but the administrator.
      const client = namespace === root ? admin : person(namespace);
      return client.create(kind, kind(name, { namespace, spec }));
    },
    change: (app, name, namespace, spec) => admin.mergePatch(kindOf(app), name, namespace, { spec }),
    async annotate(app, name, namespace, annotations) {
      await admin.mergePatch(kindOf(app), name, namespace, { metadata: { annotations } });
    },
    async remove(app, name, namespace, seconds = 60) {
      await admin.delete(kindOf(app), name, namespace);
      let last: ApplicationObject | undefined;
      await eventually(
        `${app.kind} ${namespace}/${name} is gone`,
        async () => {
          last = await get(app, name, namespace);
          return last === undefined;
        },
        seconds,
      ).catch((error: unknown) => {
        throw new Error(`${String(error)}; it says: ${conditionOf(last, "Ready")?.message}`);
      });
    },
    async rest(quiet = 1000) {
      for (let before = -1; before !== writes.length; ) {
        before = writes.length;
        await systemWorld.sleep(quiet);
      }
    },
    everything: async (of = root) => everything(admin, await kinds, of),
    async behave(kind, namespace, name, behaviour) {
      const key = `${kind}.${namespace}.${name}`;
      const object = ConfigMap(behavioursName, { namespace: behavioursNamespace, data: { [key]: behaviour } });
      // An owner for each key: files that run at the same time do not take each other's away.
      await admin.apply(ConfigMap, object, { fieldManager: `test-${root}-${key}`.slice(0, 128) });
    },
    stopControllers: stop,
    startControllers: start,
  };
}

async function waitReady(
  what: string,
  look: () => Promise<ApplicationObject | undefined>,
  seconds: number,
): Promise<ApplicationObject> {
  let last: ApplicationObject | undefined;
  try {
    return await eventually(
      `${what} is ready`,
      async () => {
        last = await look();
        return isReady(last) ? last : undefined;
      },
      seconds,
    );
  } catch (error) {
    const said = conditionOf(last, "Ready");
    throw new Error(`${String(error)}; it says ${said?.status} ${said?.reason}: ${said?.message}`);
  }
}

/** Whether it is a write to the subtree of `root`. */
function concerns(request: Request, root: string): boolean {
  if (!request.write || request.kind === "Lease" || request.kind === "Event") return false;
  return isWithin(root, request.namespace) || isWithin(root, request.name) || request.path.includes(`${root}-`);
}
