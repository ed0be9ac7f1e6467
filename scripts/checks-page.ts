/**
 * docs/upgrade-checks.md: every check of `upgrade check`, from the checks themselves.
 */
import type { Check, Severity } from "../src/upgrade/checks/check.ts";
import { checks } from "../src/upgrade/checks/index.ts";

const severities: Readonly<Record<Severity, string>> = {
  blocking: "blocks",
  warning: "warns",
  information: "tells",
};

const cell = (text: string): string => text.replaceAll("|", "\\|");

function section({ id, title, remedy, reads }: Check): string {
  return [
    `## ${id}: ${title}`,
    `Reads ${reads.map((one) => `\`${one}\``).join(", ")}.`,
    ["```", ...remedy, "```"].join("\n"),
  ].join("\n\n");
}

/** The page. */
export function checksPage(): string {
  const rows = checks.map(
    ({ id, title, severity, why }) => `| ${id} | ${cell(title)} | ${severities[severity]} | ${cell(why)} |`,
  );
  return `${[
    "# Checks before an upgrade",
    "Made from the program by `npm run docs`. How to run them, and what their verdicts mean: [Upgrade](upgrade.md#check).",
    "`blocks`: an upgrade must not begin. `warns`: something stops working, and can be mended afterwards. `tells`: something behaves in another way. A finding may be less grave than the worst of its check.",
    ["| Check | About | At worst | Why it matters |", "|---|---|---|---|", ...rows].join("\n"),
    ...checks.map(section),
  ].join("\n\n")}\n`;
}
