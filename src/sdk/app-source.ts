/**
 * The applications that are served, where definitions of them may come, change and go while the program runs.
 */
import type { App } from "./app.ts";

/** The applications that are defined now. */
export interface AppSource {
  /** An application that did not change is the same value as before. */
  list(): readonly App[];
  /** Calls back when one came, changed (another value of the same kind) or went. Returns how to stop. */
  onChange(listener: () => void): () => void;
}

/** The same applications for ever. */
export function fixedApps(apps: readonly App[]): AppSource {
  return { list: () => apps, onChange: () => () => undefined };
}

/** Either form as a source. */
export function sourceOf(apps: readonly App[] | AppSource): AppSource {
  return "list" in apps ? apps : fixedApps(apps);
}
