/**
 * `plan`: what applying or deleting documents would do.
 */
import type { Command } from "commander";
import { kindLookup } from "../../reconcile/controller.ts";
import { clientView } from "../../reconcile/view.ts";
import type { App } from "../../sdk/app.ts";
import { onCluster, type Target } from "../cluster.ts";
import { deletionOf } from "../deletions.ts";
import { type Document, parseDocuments, readSources } from "../documents.ts";
import { exitCodes } from "../exit.ts";
import {
  appsOf,
  type CommonFlags,
  does,
  UsageError,
  withExamples,
  withFiles,
  withNamespace,
  withOutput,
} from "../flags.ts";
import { planner } from "../planner.ts";
import { changedNames, type DocumentPlan, documentPlan, hasChanges, planText, planValue } from "../print-plan.ts";

interface PlanFlags extends CommonFlags {
  readonly file?: readonly string[];
  readonly delete?: boolean;
  readonly strict?: boolean;
}

/** Adds the command. */
export function plan(root: Command): void {
  const command = withOutput(withNamespace(withFiles(root.command("plan"))))
    .summary("show what a change would do")
    .description(
      "Shows what applying documents would create, change, restart and delete. Nothing is stored. Exits with 0 when nothing would change, 2 when something would, 1 on errors.",
    )
    .option("--delete", "show what deleting them would do")
    .option("--strict", "refuse fields that nobody reads, rather than warn");
  withExamples(
    command,
    "cozystack plan -f examples/redis.yaml",
    "cozystack plan -f app.yaml -o json | jq '.documents[].plan'",
    "kubectl get postgres db -n tenant-demo -o yaml | sed 's/replicas: 2/replicas: 3/' | cozystack plan -f -",
  );
  does<PlanFlags>(command, async (_, flags, terminal) => {
    if (flags.file === undefined) throw new UsageError("name the documents with -f");
    const documents = parseDocuments(readSources(flags.file));
    return onCluster(flags, async (target) => {
      const apps = await appsOf(flags, target.client);
      const namespace = flags.namespace ?? target.namespace;
      const plans =
        flags.delete === true
          ? await planDeletions(documents, target, apps, namespace)
          : await planAll(documents, target, apps, namespace, flags.strict === true);
      terminal.result(planValue(plans), changedNames(plans), () => planText(plans, terminal.paint));
      if (plans.some(({ refused }) => refused !== undefined)) return exitCodes.error;
      return plans.some(hasChanges) ? exitCodes.changes : exitCodes.ok;
    });
  });
}

async function planAll(
  documents: readonly Document[],
  target: Target,
  apps: readonly App[],
  namespace: string,
  strict: boolean,
): Promise<readonly DocumentPlan[]> {
  const { plan: planOne } = planner({ target, apps, namespace, strict });
  const plans: DocumentPlan[] = [];
  for (const document of documents) plans.push(documentPlan(await planOne(document)));
  return plans;
}

async function planDeletions(
  documents: readonly Document[],
  target: Target,
  apps: readonly App[],
  namespace: string,
): Promise<readonly DocumentPlan[]> {
  const options = { client: target.client, view: clientView(target.client), kindOf: kindLookup(apps), apps };
  const plans: DocumentPlan[] = [];
  for (const document of documents) plans.push(await deletionOf(document, namespace, options));
  return plans;
}
