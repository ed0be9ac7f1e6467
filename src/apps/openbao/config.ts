/** The servers' configuration, in HashiCorp's language. Nothing in it is a text of the user's. */
import { listed } from "../../sdk/listed.ts";
import { type Input, isShared } from "./spec.ts";

const data = "/openbao/data";

/** Where a server finds those that it may join: all of them, by their own names. */
function joins({ release, spec }: Input): readonly string[] {
  const servers = listed(spec.replicas, "spec.replicas", (index) => `${release}-${index}.${release}-internal`);
  return servers.flatMap((server) => ["  retry_join {", `    leader_api_addr = "http://${server}:8200"`, "  }"]);
}

function storage(input: Input): readonly string[] {
  const kind = isShared(input.spec) ? "raft" : "file";
  const more = isShared(input.spec) ? joins(input) : [];
  return [`storage "${kind}" {`, `  path = "${data}"`, ...more, "}"];
}

/** Servers that share their data say on their pods which of them is active; one with files must not. */
export function config(input: Input): string {
  return [
    `ui = ${input.spec.ui}`,
    "",
    'listener "tcp" {',
    '  address = "[::]:8200"',
    '  cluster_address = "[::]:8201"',
    "  tls_disable = true",
    "}",
    "",
    ...storage(input),
    ...(isShared(input.spec) ? ["", 'service_registration "kubernetes" {}'] : []),
    "",
  ].join("\n");
}
