/**
 * `kubectl`: kubectl on the cluster that the other commands work on.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { constants } from "node:os";
import { resolve } from "node:path";
import type { Command } from "commander";
import { CozystackError } from "../../kube/errors.ts";
import { openTarget } from "../cluster.ts";
import { exitCodes } from "../exit.ts";
import { type CommonFlags, does, withExamples } from "../flags.ts";

class KubectlMissingError extends CozystackError {
  constructor() {
    super("KubectlMissing", "there is no kubectl, neither with this program nor in the PATH", "Install kubectl.");
  }
}

/** Adds the command. */
export function kubectl(root: Command): void {
  const command = root
    .command("kubectl")
    .summary("run kubectl on the same cluster")
    .description(
      "Runs the kubectl that comes with this program, or the system's, on the cluster of the other commands.",
    )
    .argument("[words...]", "what kubectl is to do, after --")
    .showHelpAfterError("(what is for kubectl comes after --, as in: cozystack kubectl -- get pods -A)");
  withExamples(command, "cozystack kubectl -- get pods -A", "cozystack kubectl -- explain postgres.spec");
  does<CommonFlags>(command, async (words, flags) => {
    const target = openTarget(flags);
    await target.client.close();
    const context = target.context === undefined ? [] : ["--context", target.context];
    const child = spawn(bundled() ?? system(), [...context, ...words], {
      stdio: "inherit",
      env: { ...process.env, KUBECONFIG: target.kubeconfig },
    });
    // Ctrl-C reaches it as well as us: it decides how it ends.
    const ignore = () => undefined;
    process.on("SIGINT", ignore);
    const code = await new Promise<number>((ended, failed) => {
      child.once("error", failed);
      child.once("exit", (status, signal) => ended(status ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
    process.removeListener("SIGINT", ignore);
    process.exitCode = code;
    return code === 0 ? exitCodes.ok : process.exit(code);
  });
}

/** The one that a checkout unpacks for its tests. */
function bundled(): string | undefined {
  const script = resolve(import.meta.dirname, "../../../scripts/tools.ts");
  if (!existsSync(script)) return undefined;
  const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  const [path = ""] = status === 0 ? stdout.split("\n") : [];
  return path === "" ? undefined : path;
}

function system(): string {
  const name = "kubectl";
  if (spawnSync(name, ["version", "--client"]).error === undefined) return name;
  throw new KubectlMissingError();
}
