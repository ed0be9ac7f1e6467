/**
 * `rotate`: new generated passwords and keys.
 */
import type { Command } from "commander";
import { CozystackError } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import { systemWorld } from "../../kube/world.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import { loadInventory } from "../../reconcile/inventory.ts";
import { ownerOf, type Prepared, requestAnnotations } from "../../reconcile/prepare.ts";
import { nameOf, type ReconcileProblemCode } from "../../reconcile/problem.ts";
import { clientView } from "../../reconcile/view.ts";
import type { App } from "../../sdk/app.ts";
import { applicationNamed, appNamed, isReady, standingOf } from "../applications.ts";
import { onCluster, type Target } from "../cluster.ts";
import { type ExitCode, exitCodes } from "../exit.ts";
import { appsOf, type CommonFlags, does, withExamples, withNamespace, withOutput, withTimeout } from "../flags.ts";
import { hiddenAs } from "../hidden.ts";
import { planner } from "../planner.ts";
import { shortName } from "../print-plan.ts";
import { interruptible } from "../signals.ts";
import type { Terminal } from "../terminal.ts";

interface RotateFlags extends CommonFlags {
  readonly wait: boolean;
  readonly timeout: number;
}

/** Adds the command. */
export function rotate(root: Command): void {
  const command = withOutput(withNamespace(root.command("rotate")))
    .summary("make an application's generated passwords and keys anew")
    .description(
      "Makes the generated passwords and keys of an application anew, once. What users gave in its spec is left alone. Whoever uses the old ones must read the Secrets again.",
    )
    .argument("<kind>", "kind of application")
    .argument("<name>", "its name")
    .option("--no-wait", "do not wait until the new ones are in use");
  withTimeout(command, "how long to wait", "5m");
  withExamples(command, "cozystack rotate postgres db -n tenant-demo");
  does<RotateFlags>(command, ([kind = "", name = ""], flags, terminal) =>
    onCluster(flags, async (target) => {
      const apps = await appsOf(flags, target.client);
      return rotateOne(target, appNamed(kind, apps), name, apps, flags, terminal);
    }),
  );
}

/** New values cannot be made for an application that is not rendered. */
class RotationBlockedError extends CozystackError {
  constructor(app: App, place: string, prepared: Exclude<Prepared, { readonly is: "planned" }>) {
    const why =
      prepared.is === "waiting"
        ? `it waits for ${nameOf(prepared.on)}, which ${prepared.why}`
        : prepared.problems.map(({ object, message }) => `${nameOf(object)}: ${message}`).join("; ");
    super(
      "RotationBlocked",
      `${app.kind} ${place}: nothing was rotated: ${why}`,
      `See \`cozystack why ${app.singular}\`, correct what it names, and repeat this.`,
    );
  }
}

async function rotateOne(
  target: Target,
  app: App,
  name: string,
  apps: readonly App[],
  flags: RotateFlags,
  terminal: Terminal,
): Promise<ExitCode> {
  const namespace = flags.namespace ?? target.namespace;
  const object = await applicationNamed(target.client, app, name, namespace);
  const request = new Date(systemWorld.now()).toISOString();
  const secrets = await generatedSecrets(target, app, object, request, apps);
  if (secrets.length === 0) {
    terminal.progress(`${app.kind} ${namespace}/${name} has no generated passwords or keys.`);
    return exitCodes.ok;
  }
  const patch = { metadata: { annotations: { [requestAnnotations.rotate]: request } } };
  await target.client.mergePatch(kindOfApp(app), name, namespace, patch);
  if (flags.wait) {
    const done = await interruptible(
      terminal.progress,
      () => "No longer followed. The rotation is asked for and goes on.",
      () => untilRotated(target, app, name, namespace, request, flags.timeout),
    );
    if (!done) {
      terminal.progress(`Not rotated yet: cozystack why ${app.singular} ${name} -n ${namespace}`);
      return exitCodes.error;
    }
  }
  const verb = flags.wait ? "rotated" : "to be rotated";
  const names = secrets.map((secret) => shortName(secret.object));
  terminal.result({ rotated: secrets, request }, names, () =>
    secrets.map((secret) => `Secret ${namespace}/${secret.object.name}: ${verb}: ${secret.keys.join(", ")}`).join("\n"),
  );
  return exitCodes.ok;
}

/** The Secrets that have something to make anew, by the same code that will make it. */
async function generatedSecrets(target: Target, app: App, object: KubeObject, request: string, apps: readonly App[]) {
  const { metadata } = object;
  const { namespace = "" } = metadata;
  // With the request: a Secret that was lost is then made anew rather than missed.
  const annotations = { ...metadata.annotations, [requestAnnotations.rotate]: request };
  const asked = { ...object, metadata: { ...metadata, annotations } };
  const place = `${namespace}/${metadata.name}`;
  const prepared = await planner({ target, apps, namespace })
    .preview(app, asked)
    .catch(
      hiddenAs(
        `${app.kind} ${place}: nothing was rotated: what would be needs its objects`,
        `Ask for it yourself: kubectl annotate ${app.singular} ${metadata.name} -n ${namespace} --overwrite ${requestAnnotations.rotate}=${request}`,
      ),
    );
  if (prepared.is !== "planned") throw new RotationBlockedError(app, place, prepared);
  return prepared.instance.needs.flatMap((need) =>
    need.type === "generated" && need.rotate.length > 0
      ? [{ object: { group: "", kind: "Secret", namespace, name: need.name }, keys: need.rotate }]
      : [],
  );
}

const LOOK_MS = 200;
/** What the request itself puts right. */
const cured = "SecretLost" satisfies ReconcileProblemCode;

/** The inventory says when it was done. */
async function untilRotated(
  { client }: Target,
  app: App,
  name: string,
  namespace: string,
  request: string,
  timeout: number,
): Promise<boolean> {
  const deadline = systemWorld.monotonic() + timeout;
  const view = clientView(client);
  for (;;) {
    const object = await applicationNamed(client, app, name, namespace);
    const { record } = await loadInventory(view, ownerOf(app, object));
    if (record.rotated === request && isReady(object)) return true;
    const { stalled, reason } = standingOf(object);
    if ((stalled && reason !== cured) || systemWorld.monotonic() > deadline) return false;
    await systemWorld.sleep(LOOK_MS);
  }
}
