/**
 * The version of this program: one for the command line, the controllers' lease and what new objects are stamped with.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { valueAt } from "../kube/json.ts";

const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../../package.json"), "utf8"));

/** As in package.json. */
export const version = String(valueAt(manifest, "version"));
