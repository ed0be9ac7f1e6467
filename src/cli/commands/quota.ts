/**
 * `quota`: budgets of a tenant and of all below it.
 */
import type { Command } from "commander";
import { onCluster } from "../cluster.ts";
import { exitCodes } from "../exit.ts";
import { type CommonFlags, does, withExamples, withNamespace, withOutput } from "../flags.ts";
import { namesOf, quotaText, quotaTree, tenantsBelow } from "../quota-tree.ts";

/** Adds the command. */
export function quota(root: Command): void {
  const command = withOutput(withNamespace(root.command("quota")))
    .summary("show budgets as a tree of tenants")
    .description(
      "Shows what a tenant and each one below may have, has given to tenants below, uses and has left, by resource. Use is a few seconds old.",
    );
  withExamples(command, "cozystack quota", "cozystack quota -n tenant-demo", "cozystack quota -o json | jq .children");
  does<CommonFlags>(command, (_, flags, terminal) =>
    onCluster(flags, async ({ client, namespace }) => {
      const top = flags.namespace ?? namespace;
      const tree = quotaTree(await tenantsBelow(client, top), top);
      terminal.result(tree, namesOf(tree), () => quotaText(tree, terminal.paint));
      return exitCodes.ok;
    }),
  );
}
