/** The scheduled dump: one repository a table. */
import { readFileSync } from "node:fs";
import type { Rendered } from "../../sdk/manifest.ts";
import { dumpScript, fromSecret, scheduledDump } from "../../sdk/scheduled-dump.ts";
import { scheduledDump as isScheduled } from "./check.ts";
import { serverCluster } from "./names.ts";
import type { Input } from "./spec.ts";
import { backupUser, credentialsSecret } from "./users.ts";
import { dumpImage } from "./versions.ts";

export const script = dumpScript(readFileSync(new URL("./dump.sh", import.meta.url), "utf8"));

/** CronJob, script and credentials; nothing without a schedule. */
export function dump({ release, spec }: Input): readonly Rendered[] {
  if (!isScheduled(spec.backup)) return [];
  return scheduledDump(release, spec.backup, {
    container: "clickhouse-backup",
    image: dumpImage,
    command: ["/bin/sh", "-x", "/scripts/backup.sh"],
    script,
    access: [
      { name: "CLICKHOUSE_USER", value: backupUser },
      { name: "CLICKHOUSE_HOST", value: `chi-${release}-${serverCluster}-0-0` },
      fromSecret("CLICKHOUSE_PASSWORD", credentialsSecret(release), backupUser),
    ],
  });
}
