/**
 * All commands, in the order of the help.
 */
import type { Command } from "commander";
import { apply } from "./apply.ts";
import { remove } from "./delete.ts";
import { down } from "./down.ts";
import { get } from "./get.ts";
import { plan } from "./plan.ts";
import { tree } from "./tree.ts";
import { up } from "./up.ts";

export const commands: readonly ((root: Command) => void)[] = [up, down, plan, apply, remove, get, tree];
