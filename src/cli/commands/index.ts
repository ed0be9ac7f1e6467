/**
 * All commands, in the order of the help.
 */
import type { Command } from "commander";
import { apply } from "./apply.ts";
import { completion } from "./completion.ts";
import { remove } from "./delete.ts";
import { down } from "./down.ts";
import { explainKind } from "./explain.ts";
import { get } from "./get.ts";
import { kubeconfig } from "./kubeconfig.ts";
import { kubectl } from "./kubectl.ts";
import { plan } from "./plan.ts";
import { quota } from "./quota.ts";
import { render } from "./render.ts";
import { rotate } from "./rotate.ts";
import { status } from "./status.ts";
import { tree } from "./tree.ts";
import { up } from "./up.ts";
import { upgrade } from "./upgrade.ts";
import { why } from "./why.ts";

/** Each adds one command to the root. */
export const commands: readonly ((root: Command) => void)[] = [
  up,
  status,
  down,
  plan,
  apply,
  remove,
  get,
  tree,
  quota,
  why,
  rotate,
  upgrade,
  render,
  explainKind,
  kubectl,
  kubeconfig,
  completion,
];
