/** All applications of the checkout, found by looking, so that a new folder is tested without being listed anywhere. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { App } from "../../src/sdk/app.ts";

const folder = resolve(import.meta.dirname, "../../src/apps");

function isApp(value: unknown): value is App {
  return typeof value === "object" && value !== null && "crd" in value && "instance" in value && "catalog" in value;
}

export interface Found {
  readonly app: App;
  /** Name of the folder that it is in. */
  readonly folder: string;
}

/** The applications, wherever they are. */
export async function allApps(): Promise<readonly Found[]> {
  const found: Found[] = [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    const index = join(folder, name, "index.ts");
    if (!existsSync(index)) continue;
    const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(index).href);
    for (const app of Object.values(exported).flat()) if (isApp(app)) found.push({ app, folder: name });
  }
  return found;
}
