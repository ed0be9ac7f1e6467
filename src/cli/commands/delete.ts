/**
 * `delete`: shows what goes and what stays, deletes, and waits until it is gone.
 */
import type { Command } from "commander";
import { kindLookup } from "../../reconcile/controller.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import type { PlanDeletionOptions } from "../../reconcile/plan-deletion.ts";
import { requestAnnotations } from "../../reconcile/prepare.ts";
import { clientView } from "../../reconcile/view.ts";
import { ApplicationNotFoundError, appNamed } from "../applications.ts";
import { onCluster, type Target } from "../cluster.ts";
import { type Doomed, doomed, doomedOf } from "../deletions.ts";
import { type Document, parseDocuments, readSources } from "../documents.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import {
  appsOf,
  type CommonFlags,
  does,
  UsageError,
  withExamples,
  withFiles,
  withNamespace,
  withOutput,
  withTimeout,
} from "../flags.ts";
import { follow } from "../follow.ts";
import { requireNoRefusal } from "../plan-refused.ts";
import { changedNames, planText, planValue } from "../print-plan.ts";
import { progressTable } from "../progress-table.ts";
import { refusedObject } from "../refused.ts";
import { interruptible } from "../signals.ts";
import type { Terminal } from "../terminal.ts";

interface DeleteFlags extends CommonFlags {
  readonly file?: readonly string[];
  readonly force?: boolean;
  readonly dryRun?: boolean;
  readonly wait: boolean;
  readonly timeout: number;
}

/** Adds the command. */
export function remove(root: Command): void {
  const command = withOutput(withNamespace(withFiles(root.command("delete"))))
    .summary("delete applications")
    .description(
      "Shows what goes and what stays, deletes, and waits until everything is gone. An application with reclaimPolicy Retain leaves its data to the next one of its name.",
    )
    .argument("[kind]", "kind of application")
    .argument("[name...]", "names")
    .option("--dry-run", "only show")
    .option("--force", "do not wait for what holds the deletion up; lists what is left behind")
    .option("--no-wait", "do not wait until it is gone");
  withTimeout(command, "how long to wait", "10m");
  withExamples(
    command,
    "cozystack delete redis cache -n tenant-demo --dry-run",
    "cozystack delete tenant demo",
    "cozystack delete -f app.yaml",
  );
  does<DeleteFlags>(command, async (words, flags, terminal) => {
    const [kind, ...names] = words;
    if (flags.file !== undefined && kind !== undefined) {
      throw new UsageError("name what to delete either by -f or by kind and name");
    }
    if (flags.file === undefined && names.length === 0) {
      throw new UsageError("name a kind and a name, or documents with -f");
    }
    const documents = flags.file === undefined ? [] : parseDocuments(readSources(flags.file));
    return onCluster(flags, (target) => deleteFrom(target, documents, words, flags, terminal));
  });
}

async function deleteFrom(
  target: Target,
  documents: readonly Document[],
  words: readonly string[],
  flags: DeleteFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const apps = await appsOf(flags, target.client);
  const options = { client: target.client, view: clientView(target.client), kindOf: kindLookup(apps), apps };
  const doomedOnes = await chosen(target, documents, words, flags, options);
  const plans = doomedOnes.map(({ plan }) => plan);
  terminal.result(planValue(plans), changedNames(plans), () => planText(plans, terminal.paint));
  if (flags.dryRun === true) return plans.some(({ refused }) => refused !== undefined) ? exitCodes.error : exitCodes.ok;
  requireNoRefusal(plans, "deleted");
  let asked = 0;
  const howFar = () =>
    asked < doomedOnes.length
      ? `Ended: ${asked} of ${doomedOnes.length} objects were asked to go.`
      : "No longer followed. The deletion goes on: `cozystack get -A` shows what is left.";
  return interruptible(terminal.progress, howFar, async () => {
    for (const one of doomedOnes) {
      await deleteOne(one, target, flags);
      asked += 1;
    }
    return flags.wait ? untilGone(doomedOnes, target, flags, terminal) : exitCodes.ok;
  });
}

/** What is named, last first: what is applied last uses what was before. */
async function chosen(
  target: Target,
  documents: readonly Document[],
  [kind = "", ...names]: readonly string[],
  flags: DeleteFlags,
  options: PlanDeletionOptions,
): Promise<readonly Doomed[]> {
  const namespace = flags.namespace ?? target.namespace;
  const found: Doomed[] = [];
  if (documents.length > 0) {
    for (const document of documents.toReversed()) found.push(await doomedOf(document, namespace, options));
    return found;
  }
  const app = appNamed(kind, options.apps);
  for (const name of names) {
    const one = await doomed(kindOfApp(app), app, name, namespace, options);
    if (one.live === undefined) throw new ApplicationNotFoundError(app.kind, name, namespace);
    found.push(one);
  }
  return found;
}

async function deleteOne({ kind, name, namespace, live }: Doomed, { client }: Target, flags: DeleteFlags) {
  const uid = live?.metadata.uid;
  if (live === undefined) return;
  if (flags.force === true) {
    const patch = { metadata: { annotations: { [requestAnnotations.forceDelete]: "true" } } };
    await client.mergePatch(kind, name, namespace, patch);
  }
  await client.delete(kind, name, namespace, uid === undefined ? {} : { uid }).catch((error: unknown) => {
    throw refusedObject(live, error);
  });
}

async function untilGone(
  all: readonly Doomed[],
  { client }: Target,
  { timeout }: DeleteFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const followed = all.flatMap(({ app, name, namespace, live }) =>
    app === undefined || namespace === undefined || live === undefined ? [] : [{ app, name, namespace }],
  );
  if (followed.length === 0) return exitCodes.ok;
  const shown = progressTable(terminal, "gone");
  const { end, rows } = await follow(followed, {
    client,
    until: "gone",
    timeout,
    onChange: (now) => shown.show(now),
  });
  if (end === "done") return exitCodes.ok;
  for (const { app, name, namespace, done } of rows) {
    if (!done) terminal.progress(`Not gone: cozystack why ${app.singular} ${name} -n ${namespace}`);
  }
  return exitCodes.error;
}
