/**
 * `apply`: plan, ask where data is lost, apply, follow.
 */
import type { Command } from "commander";
import { CozystackError } from "../../kube/errors.ts";
import { applyDocuments } from "../apply-documents.ts";
import { onCluster, type Target } from "../cluster.ts";
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
import { type Followed, follow } from "../follow.ts";
import { requireNoRefusal } from "../plan-refused.ts";
import { type PlannedDocument, planner } from "../planner.ts";
import { changedNames, type DocumentPlan, documentPlan, hasChanges, planText, planValue } from "../print-plan.ts";
import { progressTable } from "../progress-table.ts";
import { interruptible } from "../signals.ts";
import type { Terminal } from "../terminal.ts";

interface ApplyFlags extends CommonFlags {
  readonly file?: readonly string[];
  readonly strict?: boolean;
  readonly yes?: boolean;
  readonly allowDataLoss?: readonly string[];
  readonly wait: boolean;
  readonly timeout: number;
}

/** A change that destroys data, without the word of a person. */
class DataLossError extends CozystackError {
  constructor(hashes: readonly string[]) {
    super(
      "DataWouldBeLost",
      "nothing was applied: data would be lost by this change",
      `Look at the plan above. To allow exactly this loss, add --allow-data-loss ${hashes.join(" ")}, or answer the question in a terminal.`,
    );
  }
}

/** Adds the command. */
export function apply(root: Command): void {
  const command = withOutput(withNamespace(withFiles(root.command("apply"))))
    .summary("apply documents and follow them to ready")
    .description(
      "Shows the plan, applies the documents by server-side apply, and follows the applications among them until they are ready. Where data would be lost it asks first.",
    )
    .option("--strict", "refuse fields that nobody reads, rather than warn")
    .option("-y, --yes", "lose data as the plan says, without asking")
    .option("--allow-data-loss <hash...>", "lose data only if it is what the plan with this hash shows")
    .option("--no-wait", "do not follow");
  withTimeout(command, "how long to follow", "10m");
  withExamples(
    command,
    "cozystack apply -f examples/redis.yaml",
    "cozystack apply -f tenant.yaml -f apps/ --timeout 5m",
    "cat app.yaml | cozystack apply -f - --no-wait",
  );
  does<ApplyFlags>(command, async (_, flags, terminal) => {
    if (flags.file === undefined) throw new UsageError("name the documents with -f");
    const documents = parseDocuments(readSources(flags.file));
    return onCluster(flags, (target) => applyTo(documents, target, flags, terminal));
  });
}

async function applyTo(
  documents: readonly Document[],
  target: Target,
  flags: ApplyFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  let applied = 0;
  const howFar = () =>
    applied === 0
      ? "Ended: nothing was applied."
      : applied < documents.length
        ? `Ended: ${applied} of ${documents.length} documents were applied; repeat the command to apply the others.`
        : "No longer followed. What was applied goes on: `cozystack get -A` shows how far it is.";
  const onApplied = (count: number) => {
    applied = count;
  };
  return interruptible(terminal.progress, howFar, () => applyAll(documents, target, flags, terminal, onApplied));
}

async function applyAll(
  documents: readonly Document[],
  target: Target,
  flags: ApplyFlags,
  terminal: Terminal,
  onApplied: (count: number) => void,
): Promise<ExitCode> {
  const namespace = flags.namespace ?? target.namespace;
  const { plan } = planner({
    target,
    apps: await appsOf(flags, target.client),
    namespace,
    strict: flags.strict === true,
  });
  const planned: PlannedDocument[] = [];
  for (const document of documents) planned.push(await plan(document));
  const plans = planned.map(documentPlan);
  terminal.result(planValue(plans), changedNames(plans), () => planText(plans, terminal.paint));
  requireNoRefusal(plans, "applied");
  await requireConsent(plans, flags, terminal);
  const followed = await applyDocuments(planned, {
    target,
    patience: flags.timeout,
    consents: flags.allowDataLoss ?? [],
    onApplied,
  });
  terminal.progress(plans.some(hasChanges) ? "Applied." : "Applied; nothing changed.");
  return flags.wait ? followApplied(followed, target, flags, terminal) : exitCodes.ok;
}

/** Throws unless nothing is lost, or a person allows it. */
async function requireConsent(plans: readonly DocumentPlan[], flags: ApplyFlags, terminal: Terminal): Promise<void> {
  const hashes = plans.flatMap(({ confirm }) => confirm ?? []);
  const allowed = flags.allowDataLoss ?? [];
  if (flags.yes === true || hashes.every((hash) => allowed.includes(hash))) return;
  if (allowed.length === 0 && (await terminal.confirm("Data will be lost, as the plan says. Go on?"))) return;
  throw new DataLossError(hashes);
}

async function followApplied(
  followed: readonly Followed[],
  target: Target,
  { timeout }: ApplyFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  if (followed.length === 0) return exitCodes.ok;
  const shown = progressTable(terminal);
  const { client } = target;
  const { end, rows } = await follow(followed, { client, until: "ready", timeout, onChange: (now) => shown.show(now) });
  if (end === "done") return exitCodes.ok;
  for (const { app, name, namespace, done } of rows) {
    if (!done) terminal.progress(`Not ready: cozystack why ${app.singular} ${name} -n ${namespace}`);
  }
  return exitCodes.error;
}
