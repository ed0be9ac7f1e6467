/**
 * Tenants on the real API server with two instances of the gate in front of it, and the quota controllers behind; all in a
 * subtree of tenants that is this test file's own. Instances are killed, and writes are lost after the gate let them through.
 */
import { randomBytes } from "node:crypto";
import { after } from "node:test";
import { ANCESTORS, formatAncestors } from "../../src/apps/tenant/place.ts";
import { shareAnnotations } from "../../src/apps/tenant/quota.ts";
import { Namespace } from "../../src/contracts/core.ts";
import { QuotaLedger } from "../../src/contracts/internal-cozystack-io.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { ValidatingWebhookConfiguration } from "../../src/kube/core-kinds.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { openStores } from "../../src/kube/stores.ts";
import { systemWorld } from "../../src/kube/world.ts";
import { fixedContext } from "../../src/reconcile/context.ts";
import type { TenantPlace } from "../../src/sdk/context.ts";
import { json } from "../../src/server/answer.ts";
import { issueAuthority, issueServing } from "../../src/server/certificates/issue.ts";
import { parseObject } from "../../src/server/incoming.ts";
import { listen } from "../../src/server/listener.ts";
import { StatusError } from "../../src/server/status.ts";
import { tenantBudgets } from "../../src/server/tenant-budgets.ts";
import type { Gate } from "../../src/tenancy/quota/gate.ts";
import { LEDGER_NAMESPACE, type Ledger, ledgerOf } from "../../src/tenancy/quota/ledger.ts";
import { openGate } from "../../src/tenancy/quota/open-gate.ts";
import { runQuotas } from "../../src/tenancy/quota/run.ts";
import { gateConfiguration } from "../../src/tenancy/quota/webhook.ts";
import type { TestEngine } from "../support/engine.ts";
import { isWithin } from "../support/everything.ts";
import { platformEngine } from "../support/platform.ts";

/** A reservation lives that long here. */
export const RESERVED_MS = 4_000;

export interface GatedEngine {
  readonly engine: TestEngine;
  readonly admin: Client;
  /** Namespace at the top; tenants are ordered in it and below. */
  readonly root: string;
  /** Makes the namespace of a tenant of that name below another. */
  place(name: string, parent?: string): Promise<string>;
  /** Ends an instance as a crash does, and starts another. Resolves when the other may decide. */
  kill(index: 0 | 1): Promise<void>;
  /** Nobody answers the API server any more, until called again with false. */
  silence(silent: boolean): void;
  /** That share of the writes that the gate let through is refused by somebody else. */
  lose(share: number): void;
  ledgers(): Promise<readonly Ledger[]>;
  readonly errors: readonly string[];
}

interface Instance {
  readonly gate: Gate;
  readonly stop: AbortController;
  readonly client: Client;
}

export interface GatedOptions {
  /** Also run the quota controllers. Default true. */
  readonly controllers?: boolean;
}

export async function gatedEngine({ controllers = true }: GatedOptions = {}): Promise<GatedEngine> {
  const closing: (() => Promise<unknown>)[] = [];
  // Registered before the engine's own, which closes the clients.
  after(async () => {
    for (const close of closing.toReversed()) await close();
  });
  const engine = await platformEngine();
  const admin = engine.client("person");
  const access = loadKubeconfig(engine.kubeconfig);
  const root = `tenant-g${randomBytes(3).toString("hex")}`;
  const mark = { [`budgets.test/${root}`]: "true" };
  const errors: string[] = [];
  const told = (what: string, error: unknown): number => errors.push(`${what}: ${String(error)}`);
  const contexts = fixedContext({
    cluster: {},
    namespace: { host: "", etcd: "", ingress: "", gateway: "", monitoring: "", seaweedfs: "", schedulingClass: "" },
    tenant: { namespace: "tenant-root", ancestors: [] },
    chartVersion: "0.0.0",
    apis: new Set(),
  });

  const start = async (): Promise<Instance> => {
    const stop = new AbortController();
    const client = connect({ ...access, fieldManager: "cozystack-api" });
    const stores = openStores({ client, signal: stop.signal });
    const common = { client, stores, world: systemWorld, contexts, reservedMs: RESERVED_MS, onError: told };
    return { gate: await openGate(common, stop.signal), stop, client };
  };
  const instances: (Instance | undefined)[] = await Promise.all([start(), start()]);
  const end = async (instance: Instance | undefined): Promise<void> => {
    instance?.stop.abort();
    await instance?.client.close();
  };
  closing.push(() => Promise.all(instances.map(end)));

  let [turn, silent, lost] = [0, false, 0];
  const deciding = () => {
    turn += 1;
    const instance = instances[turn % 2] ?? instances[(turn + 1) % 2];
    if (instance === undefined) return undefined;
    const { gate, stop } = instance;
    const decide: Gate["decide"] = async (write) => {
      const verdict = await gate.decide(write);
      // Reserved, but nobody is there to say so.
      if (stop.signal.aborted) throw new Error("killed");
      return verdict;
    };
    return { decide };
  };
  const { route } = tenantBudgets({ gate: deciding, secret: root });
  const authority = await issueAuthority(Date.now());
  const serving = await issueServing(authority, ["127.0.0.1"], Date.now());
  const listener = await listen({
    host: "127.0.0.1",
    port: 0,
    serving,
    routes: [
      {
        ...route,
        for: "anyone",
        async handle(incoming) {
          if (silent) throw new StatusError("ServiceUnavailable", "silent");
          return route.for === "anyone" ? route.handle(incoming) : json({});
        },
      },
      {
        path: "/lose",
        for: "anyone",
        async handle(incoming) {
          const { request } = parseObject(await incoming.body());
          const uid = typeof request === "object" && request !== null && "uid" in request ? request.uid : "";
          const allowed = Math.random() >= lost;
          return json({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: { uid, allowed } });
        },
      },
    ],
  });
  closing.push(() => listener.close());

  const namespaceSelector = { matchLabels: mark };
  const clientConfig = (path: string) => ({
    url: `https://127.0.0.1:${listener.port}${path}`,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
  });
  const gateName = `${root}-gate`;
  const gateObject = gateConfiguration({ clientConfig: clientConfig(route.path), namespaceSelector, name: gateName });
  const [webhook] = gateObject.webhooks ?? [];
  const losing = ValidatingWebhookConfiguration(`${root}-lose`, {
    webhooks:
      webhook === undefined ? [] : [{ ...webhook, name: "lose.budgets.test", clientConfig: clientConfig("/lose") }],
  });
  const made: string[] = [];
  const place: GatedEngine["place"] = async (name, parent) => {
    const above: TenantPlace | undefined =
      parent === undefined ? undefined : { namespace: parent, ancestors: ancestorsOf.get(parent) ?? [] };
    const namespace = above === undefined ? root : `${above.namespace}-${name}`;
    const ancestors = above === undefined ? ["tenant-root"] : [...above.ancestors, above.namespace];
    ancestorsOf.set(namespace, ancestors);
    made.push(namespace);
    // As the tenant would be rendered.
    const shared = parent === undefined ? {} : shareAnnotations(await admin.get(Namespace, parent));
    const annotations = { [ANCESTORS]: formatAncestors({ namespace, ancestors }), ...shared };
    await admin.create(Namespace, Namespace(namespace, { labels: mark, annotations }));
    return namespace;
  };
  const ancestorsOf = new Map<string, readonly string[]>();
  await place("", undefined);
  closing.push(() => Promise.all(made.map((namespace) => admin.delete(Namespace, namespace))));
  closing.push(async () => {
    for (const { metadata } of (await ledgerObjects()).toReversed()) {
      await admin.delete(QuotaLedger, metadata.name, LEDGER_NAMESPACE);
    }
  });
  for (const object of [gateObject, losing]) {
    await admin.create(ValidatingWebhookConfiguration, object);
    closing.push(() => admin.delete(ValidatingWebhookConfiguration, object.metadata.name));
  }
  if (controllers) {
    const stop = new AbortController();
    const client = engine.client("cozystack");
    const stores = openStores({ client, signal: stop.signal });
    const running = runQuotas(
      {
        client,
        stores,
        world: systemWorld,
        contexts,
        scope: (namespace) => isWithin(root, namespace),
        reservedMs: RESERVED_MS,
        useDelay: 300,
        onError: told,
      },
      stop.signal,
    ).catch((error: unknown) => {
      if (!stop.signal.aborted) told("quotas", error);
    });
    closing.push(async () => {
      stop.abort();
      await running;
    });
  }
  async function ledgerObjects() {
    const { items } = await admin.list(QuotaLedger, { namespace: LEDGER_NAMESPACE });
    return items.filter(({ metadata }) => isWithin(root, metadata.name));
  }

  return {
    engine,
    admin,
    root,
    place,
    errors,
    async kill(index) {
      const before = instances[index];
      instances[index] = undefined;
      await end(before);
      instances[index] = await start();
    },
    silence(now) {
      silent = now;
    },
    lose(share) {
      lost = share;
    },
    ledgers: async () => (await ledgerObjects()).map(ledgerOf),
  };
}
