/**
 * What `up` says when it is up.
 */
import type { Target } from "./cluster.ts";
import type { Paint } from "./terminal.ts";

/** Said wherever the twin plays, before anything else. */
export function simulationBanner(paint: Paint): string {
  return paint.warn(
    "SIMULATION: on this control plane operators, nodes, pods and volumes are played. The API is real; no data is kept by any application.",
  );
}

export interface NextStepsFlags {
  readonly dataDir?: string;
  /** The demonstration is ordered already. */
  readonly demo?: boolean;
  readonly detach?: boolean;
}

/** Orders that change something where they are proposed: what the demonstration does not have, or the demonstration. */
export const proposals = {
  afterDemo: ["examples/nats.yaml", "order something else: plan first, then progress"],
  first: ["examples/demo", "order a tenant with some of each: plan first, then progress"],
} as const;

/** Where the kubeconfig is, and what to try. */
export function nextSteps(target: Target, flags: NextStepsFlags, paint: Paint): string {
  const [file, effect] = flags.demo === true ? proposals.afterDemo : proposals.first;
  const where = flags.dataDir === undefined ? "" : ` --data-dir ${flags.dataDir}`;
  const variable = `export KUBECONFIG=${target.kubeconfig}`;
  const steps = target.embedded
    ? [
        [`${variable}`, "then kubectl works on it"],
        ["kubectl get tenants,postgreses -A", "what is ordered"],
        [`./cozystack${where} get -A`, "the same, with what each waits for"],
        [`./cozystack${where} kubectl -- get pods -A`, "without a kubectl of your own"],
        [`./cozystack${where} apply -f ${file}`, effect],
      ]
    : [["cozystack get -A", "what is ordered, with what each waits for"]];
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return [
    "",
    `${paint.good("The platform is up")} on ${target.description}.`,
    `kubeconfig: ${paint.strong(target.kubeconfig)}`,
    "",
    flags.detach === true ? "Now:" : "In another terminal:",
    ...steps.map(([command = "", what = ""]) => `  ${command.padEnd(width)}  ${paint.dim(`# ${what}`)}`),
    "",
  ].join("\n");
}
