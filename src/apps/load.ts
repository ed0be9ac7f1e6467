/**
 * Applications from a folder outside the catalogue: every `NAME/index.ts` in it, each exporting what `defineApp` gave.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { registerHooks } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { CozystackError } from "../kube/errors.ts";
import { isRecord } from "../kube/json.ts";
import type { App } from "../sdk/app.ts";

/** A folder of applications that cannot be used. */
export class AppsError extends CozystackError {
  constructor(message: string, remedy: string, options: { readonly cause?: unknown } = {}) {
    super("AppsInvalid", message, remedy, options);
  }
}

function isApp(value: unknown): value is App {
  return isRecord(value) && ["crd", "instance", "deletion"].every((name) => typeof value[name] === "function");
}

const source = pathToFileURL(`${resolve(import.meta.dirname, "..")}/`);
/** What a folder elsewhere may name without a path: this program's own rooms, and the library of its schemas. */
const rooms = /^cozystack\/((?:sdk|contracts|kube)\/.+)$/;

let hooked = false;

/** Lets modules outside the checkout import `cozystack/sdk/...` and `typebox`. */
function hookImports(): void {
  if (hooked) return;
  hooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      const room = rooms.exec(specifier)?.[1];
      if (room !== undefined) return next(new URL(room, source).href, context);
      // Found from here rather than from the folder, which has no node_modules.
      return specifier === "typebox"
        ? next(specifier, { ...context, parentURL: import.meta.url })
        : next(specifier, context);
    },
  });
}

async function loadOne(index: string): Promise<readonly App[]> {
  let exported: unknown;
  try {
    exported = await import(pathToFileURL(index).href);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AppsError(`${index}: ${why}`, "Correct the file; the message says what is wrong.", { cause: error });
  }
  const found = Object.values(isRecord(exported) ? exported : {}).filter(isApp);
  if (found.length > 0) return found;
  throw new AppsError(
    `${index} exports no application`,
    "Export what defineApp gives, as in `export const hello = defineApp({ ... })`.",
  );
}

/**
 * The applications of a folder, in the order of their folders' names.
 * @throws AppsError when there is no such folder, or one of its applications cannot be loaded.
 */
export async function loadApps(directory: string): Promise<readonly App[]> {
  const folder = resolve(directory);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new AppsError(`${folder} is no folder`, "Name the folder that holds one folder for each application.");
  }
  hookImports();
  const names = readdirSync(folder).sort();
  const indexes = names.map((name) => join(folder, name, "index.ts")).filter((index) => existsSync(index));
  if (indexes.length === 0) {
    throw new AppsError(
      `${folder} holds no application`,
      "Put each application into a folder of its own, with an index.ts.",
    );
  }
  const apps: App[] = [];
  for (const index of indexes) apps.push(...(await loadOne(index)));
  return apps;
}

/**
 * `catalogue` with `more`.
 * @throws AppsError when two applications have the same kind.
 */
export function withApps(catalogue: readonly App[], more: readonly App[]): readonly App[] {
  const seen = new Set<string>();
  for (const { group, plural, kind } of [...catalogue, ...more]) {
    const name = `${plural}.${group}`;
    if (seen.has(name))
      throw new AppsError(
        `the kind ${kind} (${name}) is defined twice`,
        "Give your application another kind and plural.",
      );
    seen.add(name);
  }
  return [...catalogue, ...more];
}
