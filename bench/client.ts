/**
 * Our client against the official one: server-side applies (new, unchanged, changed) and reads of a whole list.
 */
import { randomBytes } from "node:crypto";
import { CoreV1Api, KubeConfig, KubernetesObjectApi, PatchStrategy } from "@kubernetes/client-node";
import { connect } from "../src/kube/connect.ts";
import { ConfigMap, Namespace } from "../src/kube/core-kinds.ts";
import { loadKubeconfig } from "../src/kube/kubeconfig.ts";
import { sharedEngine } from "../test/support/shared-engine.ts";
import type { Figure } from "./figure.ts";
import { apiServerProcess, type Cost, measure, median } from "./measure.ts";

interface Contender {
  readonly name: string;
  apply(name: string, namespace: string, value: string): Promise<unknown>;
  list(namespace: string): Promise<number>;
  close(): Promise<void>;
}

const objects = 300;
const concurrency = 16;
const rounds = 3;
const lists = 10;
/** About the size of a rendered custom resource. */
const filler = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key-${index}`, "x".repeat(40)]));

const body = (name: string, namespace: string, value: string) =>
  ConfigMap(name, { namespace, data: { ...filler, value } });

function thin(kubeconfig: string): Contender {
  const client = connect({ ...loadKubeconfig(kubeconfig), fieldManager: "bench", connections: concurrency });
  return {
    name: "ours",
    apply: (name, namespace, value) => client.apply(ConfigMap, body(name, namespace, value)),
    list: async (namespace) => (await client.list(ConfigMap, { namespace })).items.length,
    close: () => client.close(),
  };
}

/** `cached` keeps the one dispatcher that the official client otherwise makes anew for every request. */
function official(kubeconfig: string, cached: boolean): Contender {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  if (cached) {
    // Not part of its public interface: what a user of it would have to do.
    const make: (...given: unknown[]) => unknown = Reflect.get(config, "createDispatcher");
    let made: unknown;
    const value = (...given: unknown[]): unknown => {
      made ??= make.apply(config, given);
      return made;
    };
    Object.defineProperty(config, "createDispatcher", { value });
  }
  const objectApi = KubernetesObjectApi.makeApiClient(config);
  const core = config.makeApiClient(CoreV1Api);
  return {
    name: cached ? "client-node, dispatcher cached" : "client-node",
    apply: (name, namespace, value) => {
      const { data, ...head } = body(name, namespace, value);
      const object = { ...head, metadata: { name, namespace }, data: { ...data } };
      return objectApi.patch(object, undefined, undefined, "bench", true, PatchStrategy.ServerSideApply);
    },
    list: async (namespace) => (await core.listNamespacedConfigMap({ namespace })).items.length,
    close: async () => {},
  };
}

type Phase = "new" | "unchanged" | "changed" | "list";
const phases: readonly Phase[] = ["new", "unchanged", "changed", "list"];

async function runPhase(contender: Contender, phase: Phase, namespace: string, pid: number | undefined): Promise<Cost> {
  if (phase === "list") return measure(lists, 1, pid, () => contender.list(namespace));
  const value = phase === "changed" ? "2" : "1";
  return measure(objects, concurrency, pid, (index) => contender.apply(`object-${index}`, namespace, value));
}

/** The median of each figure over the rounds. */
function row(contender: string, phase: Phase, costs: readonly Cost[]) {
  const per = (figure: (cost: Cost) => number) => median(costs.map((cost) => figure(cost) / cost.operations));
  return {
    contender,
    phase,
    "ops/s": Math.round(median(costs.map((cost) => (cost.operations * 1000) / cost.wallMs))),
    "client CPU ms/op": Number(per((cost) => cost.clientCpuMs).toFixed(2)),
    "server CPU ms/op": Number(per((cost) => cost.serverCpuMs ?? Number.NaN).toFixed(2)),
  };
}

export async function run(): Promise<readonly Figure[]> {
  const kubeconfig = process.env["COZYSTACK_TEST_KUBECONFIG"] ?? (await sharedEngine());
  const admin = connect({ ...loadKubeconfig(kubeconfig), fieldManager: "bench" });
  const pid = apiServerProcess(loadKubeconfig(kubeconfig).server);
  const contenders = [thin(kubeconfig), official(kubeconfig, true), official(kubeconfig, false)];
  const costs = new Map<string, Cost[]>();
  // Interleaved, so that what else the machine does meets all of them.
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of contenders) {
      const namespace = `bench-${randomBytes(4).toString("hex")}`;
      await admin.create(Namespace, Namespace(namespace));
      for (const phase of phases) {
        const key = `${contender.name}|${phase}`;
        costs.set(key, [...(costs.get(key) ?? []), await runPhase(contender, phase, namespace, pid)]);
      }
      await admin.delete(Namespace, namespace);
    }
  }
  console.log(`${objects} objects, ${concurrency} at a time, medians of ${rounds} rounds; list: ${objects} objects`);
  console.table(
    contenders.flatMap(({ name }) => phases.map((phase) => row(name, phase, costs.get(`${name}|${phase}`) ?? []))),
  );
  console.log(`memory of this process: ${Math.round(process.memoryUsage().rss / 2 ** 20)} MiB`);
  await Promise.all([...contenders.map((contender) => contender.close()), admin.close()]);
  // Its own table says it all.
  return [];
}
