/**
 * `status`: whether the platform is up, and how far what is ordered is.
 */
import type { Command } from "commander";
import { runningEngine } from "../../../embedded/engine.ts";
import type { Client } from "../../kube/client.ts";
import { Lease } from "../../kube/core-kinds.ts";
import { CozystackError, isApiError } from "../../kube/errors.ts";
import { valueAt } from "../../kube/json.ts";
import { versionAnnotation } from "../../kube/lease.ts";
import { systemWorld } from "../../kube/world.ts";
import type { App } from "../../sdk/app.ts";
import { standingOf, visibleOf } from "../applications.ts";
import { dataDirectoryOf, isGiven, NoClusterError, onCluster, type Target } from "../cluster.ts";
import { exitCodes } from "../exit.ts";
import { appsOf, type CommonFlags, does, withExamples, withOutput } from "../flags.ts";
import { controllerLease } from "../lead.ts";
import { age, table } from "../table.ts";
import type { Paint } from "../terminal.ts";
import { version } from "../version.ts";

interface Status {
  readonly version: string;
  readonly cluster: { readonly description: string; readonly kubeconfig: string; readonly kubernetes: string };
  /** The embedded engine's processes, by name. */
  readonly engine?: { readonly dataDir: string; readonly pids: Readonly<Record<string, number>> };
  /** Absent where the caller may not see their lease. */
  readonly controllers?: {
    readonly running: boolean;
    readonly holder?: string;
    readonly version?: string;
    /** When the lease was renewed, RFC 3339. */
    readonly renewTime?: string;
  };
  /** Kinds of which there are any; absent where the caller may not see across namespaces. */
  readonly applications?: readonly KindCount[];
}

interface KindCount {
  readonly kind: string;
  readonly ready: number;
  readonly notReady: number;
  readonly stalled: number;
}

/** Adds the command. */
export function status(root: Command): void {
  const command = withOutput(root.command("status"))
    .summary("say whether the platform is up")
    .description(
      "Says which cluster this is, whether the controllers run, and how many applications are ready. Exits with 0 when the platform is up, 2 when no controller runs, 1 when there is no cluster.",
    );
  withExamples(command, "cozystack status", "cozystack status -o json | jq .applications");
  does<CommonFlags>(command, async (_, flags, terminal) => {
    const dataDir = dataDirectoryOf(flags);
    const running = isGiven(flags) ? undefined : runningEngine(dataDir);
    if (!isGiven(flags) && running === undefined && process.env["KUBECONFIG"] === undefined) {
      throw new NoClusterError(dataDir, "and no cluster was named");
    }
    return onCluster(flags, async (target) => {
      const pids = { ...running?.pids, ...(running === undefined ? {} : { cozystack: running.pid }) };
      const engine = running === undefined ? {} : { engine: { dataDir, pids } };
      const found: Status = { ...(await statusOf(target, await appsOf(flags, target.client))), ...engine };
      const names = (found.applications ?? []).map(({ kind }) => kind.toLowerCase());
      terminal.result(found, names, () => statusText(found, terminal.paint));
      return found.controllers?.running === false ? exitCodes.changes : exitCodes.ok;
    });
  });
}

async function statusOf({ client, description, kubeconfig }: Target, apps: readonly App[]): Promise<Status> {
  const [answer, controllers, counts] = await Promise.all([
    client.raw("GET", "/version"),
    controllersOf(client),
    countsOf(client, apps),
  ]);
  const kubernetes = String(valueAt(answer, "gitVersion"));
  return {
    version,
    cluster: { description, kubeconfig, kubernetes },
    ...(controllers === undefined ? {} : { controllers }),
    ...(counts === undefined ? {} : { applications: counts }),
  };
}

async function controllersOf(client: Client): Promise<Status["controllers"]> {
  let lease: Lease | undefined;
  try {
    lease = await client.get(Lease, controllerLease.name, controllerLease.namespace);
  } catch (error) {
    if (!isApiError(error, "Forbidden")) throw error;
    return undefined;
  }
  const holder = lease?.spec?.holderIdentity ?? "";
  if (lease === undefined || holder === "") return { running: false };
  const renewTime = lease.spec?.renewTime ?? "";
  const of = lease.metadata.annotations?.[versionAnnotation];
  const running = systemWorld.now() - Date.parse(renewTime) < (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
  return { running, holder, renewTime, ...(of === undefined ? {} : { version: of }) };
}

async function countsOf(client: Client, apps: readonly App[]): Promise<readonly KindCount[] | undefined> {
  try {
    const { found } = await visibleOf(client, apps, undefined);
    return [...Map.groupBy(found, ({ app }) => app.kind)].map(([kind, all]) => {
      const standings = all.map(({ object }) => standingOf(object));
      const ready = standings.filter((one) => one.ready === "True").length;
      const stalled = standings.filter((one) => one.stalled).length;
      return { kind, ready, notReady: standings.length - ready, stalled };
    });
  } catch (error) {
    if (error instanceof CozystackError && error.code === "Forbidden") return undefined;
    throw error;
  }
}

function statusText({ cluster, engine, controllers, applications, version: ours }: Status, paint: Paint): string {
  const { running, holder, renewTime, version: theirs = "" } = controllers ?? { running: undefined };
  const held =
    running === undefined
      ? "unknown: you may not see their lease"
      : running
        ? `${paint.good("running")}  version ${theirs}, lease of ${holder} renewed ${age(renewTime, systemWorld.now())} ago`
        : `${paint.bad("not running")}${holder === undefined ? "" : `  lease of ${holder} ran out`}`;
  const pids = Object.entries(engine?.pids ?? {}).map(([name, pid]) => `${name} ${pid}`);
  const facts = [
    ["cluster", `${cluster.description}, Kubernetes ${cluster.kubernetes}`],
    ["kubeconfig", cluster.kubeconfig],
    ...(engine === undefined
      ? []
      : [
          ["data", engine.dataDir],
          ["processes", pids.join(", ")],
        ]),
    ["controllers", held],
    ["this program", `version ${ours}`],
  ];
  const counts = (applications ?? []).map(({ kind, ready, notReady, stalled }) => [
    kind,
    ready === 0 ? "0" : paint.good(String(ready)),
    notReady === 0 ? "0" : paint.warn(String(notReady)),
    stalled === 0 ? "0" : paint.bad(String(stalled)),
  ]);
  const nothing =
    applications === undefined ? "What is ordered in all namespaces, you may not see." : "Nothing is ordered.";
  const kinds = counts.length === 0 ? nothing : table(["KIND", "READY", "NOT READY", "STALLED"], counts);
  return `${table([], facts)}\n\n${kinds}`;
}
