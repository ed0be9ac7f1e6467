/**
 * `status`: whether the platform is up, and how far what is ordered is.
 */
import type { Command } from "commander";
import { runningEngine } from "../../../embedded/engine.ts";
import type { Client } from "../../kube/client.ts";
import { Lease } from "../../kube/core-kinds.ts";
import { isApiError } from "../../kube/errors.ts";
import { valueAt } from "../../kube/json.ts";
import { versionAnnotation } from "../../kube/lease.ts";
import { systemWorld } from "../../kube/world.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import type { App } from "../../sdk/app.ts";
import { listOf, standingOf } from "../applications.ts";
import { dataDirectoryOf, isGiven, NoClusterError, onCluster, type Target } from "../cluster.ts";
import { exitCodes } from "../exit.ts";
import { appsOf, type CommonFlags, does, withExamples, withOutput } from "../flags.ts";
import { controllerLease } from "../foreground.ts";
import { age, table } from "../table.ts";
import type { Paint } from "../terminal.ts";
import { version } from "../version.ts";

interface Status {
  readonly version: string;
  readonly cluster: { readonly description: string; readonly kubeconfig: string; readonly kubernetes: string };
  /** The embedded engine's processes, by name. */
  readonly engine?: { readonly dataDir: string; readonly pids: Readonly<Record<string, number>> };
  readonly controllers: {
    readonly running: boolean;
    readonly holder?: string;
    readonly version?: string;
    /** When the lease was renewed, RFC 3339. */
    readonly renewTime?: string;
  };
  readonly applications: readonly KindCount[];
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
      const names = found.applications.map(({ kind }) => kind.toLowerCase());
      terminal.result(found, names, () => statusText(found, terminal.paint));
      return found.controllers.running ? exitCodes.ok : exitCodes.changes;
    });
  });
}

async function statusOf({ client, description, kubeconfig }: Target, apps: readonly App[]): Promise<Status> {
  const [answer, controllers, counts] = await Promise.all([
    client.raw("GET", "/version"),
    controllersOf(client),
    Promise.all(apps.map((app) => countOf(client, app))),
  ]);
  const kubernetes = String(valueAt(answer, "gitVersion"));
  return {
    version,
    cluster: { description, kubeconfig, kubernetes },
    controllers,
    applications: counts.filter(({ ready, notReady }) => ready + notReady > 0),
  };
}

async function controllersOf(client: Client): Promise<Status["controllers"]> {
  let lease: Lease | undefined;
  try {
    lease = await client.get(Lease, controllerLease.name, controllerLease.namespace);
  } catch (error) {
    if (!isApiError(error, "Forbidden")) throw error;
  }
  const holder = lease?.spec?.holderIdentity ?? "";
  if (lease === undefined || holder === "") return { running: false };
  const renewTime = lease.spec?.renewTime ?? "";
  const of = lease.metadata.annotations?.[versionAnnotation];
  const running = systemWorld.now() - Date.parse(renewTime) < (lease.spec?.leaseDurationSeconds ?? 0) * 1000;
  return { running, holder, renewTime, ...(of === undefined ? {} : { version: of }) };
}

async function countOf(client: Client, app: App): Promise<KindCount> {
  const standings = (await listOf(client, kindOfApp(app), undefined)).map(standingOf);
  const ready = standings.filter((one) => one.ready === "True").length;
  const stalled = standings.filter((one) => one.stalled).length;
  return { kind: app.kind, ready, notReady: standings.length - ready, stalled };
}

function statusText({ cluster, engine, controllers, applications, version: ours }: Status, paint: Paint): string {
  const { running, holder, renewTime, version: theirs = "" } = controllers;
  const held = running
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
  const counts = applications.map(({ kind, ready, notReady, stalled }) => [
    kind,
    ready === 0 ? "0" : paint.good(String(ready)),
    notReady === 0 ? "0" : paint.warn(String(notReady)),
    stalled === 0 ? "0" : paint.bad(String(stalled)),
  ]);
  const kinds = counts.length === 0 ? "Nothing is ordered." : table(["KIND", "READY", "NOT READY", "STALLED"], counts);
  return `${table([], facts)}\n\n${kinds}`;
}
