/** From a MariaDB specification to its objects. */

import { readFileSync } from "node:fs";
import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { serversMonitor } from "../../sdk/monitor.ts";
import { registrySecret } from "../../sdk/registry-secret.ts";
import { dumpScript, fromSecret, scheduledDump } from "../../sdk/scheduled-dump.ts";
import { check } from "./check.ts";
import { instanceLabel, isReplicated, server } from "./server.ts";
import type { Input, Spec } from "./spec.ts";
import { contents, credentialsNeed, credentialsSecret, root } from "./users.ts";
import { dumpImage } from "./versions.ts";

export const script = dumpScript(readFileSync(new URL("./dump.sh", import.meta.url), "utf8"));

/** The Services of the server that takes writes, and of those that only answer. */
const primary = (release: string): string => `${release}-primary`;
const secondary = (release: string): string => `${release}-secondary`;

export function needs(input: Input) {
  return { credentials: credentialsNeed(input) };
}

/** One repository a database; read from a copy where there is one. */
function dump({ release, spec }: Input): readonly Rendered[] {
  if (!spec.backup.enabled) return [];
  return scheduledDump(release, spec.backup, {
    container: "mysqldump",
    image: dumpImage,
    command: ["/bin/sh", "/scripts/backup.sh"],
    script,
    access: [
      { name: "MYSQL_USER", value: root },
      fromSecret("MYSQL_PWD", credentialsSecret(release), root),
      { name: "MYSQL_HOST", value: isReplicated(spec) ? secondary(release) : release },
    ],
  });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec, needs: known } = input;
  check(spec);
  return [
    ...server(input),
    ...contents(input, known.credentials),
    ...dump(input),
    ...registrySecret(release, spec.registrySecret),
  ];
}

export function monitors(input: Input): readonly Monitor[] {
  return [serversMonitor(input, instanceLabel(input.release))];
}

export function expose({ release, spec }: Input): Exposure {
  return {
    services: [release, ...(isReplicated(spec) ? [primary(release), secondary(release)] : [])],
    secrets: [credentialsSecret(release)],
    monitors: [release],
  };
}

/** Volumes, the users' passwords, and those that the operator made for itself. */
export function claims({ release }: Input): readonly StorageClaim[] {
  const passwords = [`${release}-metrics-password`, `${release}-repl-password`];
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: instanceLabel(release) },
    { group: "", kind: "Secret", names: [credentialsSecret(release), ...passwords] },
  ];
}
