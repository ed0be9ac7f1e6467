/** All applications of the checkout, found by looking, so that a new folder is tested without being listed anywhere. */
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { pendingApps } from "../../src/apps/pending/index.ts";
import type { App } from "../../src/sdk/app.ts";

const folder = resolve(import.meta.dirname, "../../src/apps");

function isApp(value: unknown): value is App {
  return typeof value === "object" && value !== null && "crd" in value && "instance" in value && "catalog" in value;
}

export interface Found {
  readonly app: App;
  /** Name of the folder that it is in. */
  readonly folder: string;
  /** There already, while the catalogue still serves the kind as one to come: never served beside others, who need that one. */
  readonly awaited: boolean;
}

const isPending = ({ group, plural }: App): boolean =>
  pendingApps.some((pending) => pending.group === group && pending.plural === plural);

/** The applications, wherever they are. */
export async function allApps(): Promise<readonly Found[]> {
  const found: Found[] = [];
  const folders = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of folders) {
    const index = join(folder, name, "index.ts");
    if (!existsSync(index)) continue;
    const exported: Readonly<Record<string, unknown>> = await import(pathToFileURL(index).href);
    for (const app of Object.values(exported).flat())
      if (isApp(app)) found.push({ app, folder: name, awaited: name !== "pending" && isPending(app) });
  }
  return found;
}
