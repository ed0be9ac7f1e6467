/**
 * The applications that are served now: the program's own and those that ApplicationDefinitions in the cluster bring. Every
 * process that must know them follows the same objects and comes to the same answer.
 */
import { ApplicationDefinition, type Definition } from "../../contracts/application-definition.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import type { Store } from "../../kube/store.ts";
import type { Stores } from "../../kube/stores.ts";
import type { App } from "../../sdk/app.ts";
import type { AppSource } from "../../sdk/app-source.ts";
import { ServedDefinitions, type Verdict } from "../../sdk/external/served.ts";

export interface Definitions extends AppSource {
  readonly store: Store<Definition>;
  /** What becomes of a definition; undefined for one that is not known. */
  verdictOf(name: string): Verdict | undefined;
  /** Resolves when the definitions that there are now are among the applications. */
  ready(signal: AbortSignal): Promise<void>;
  close(): void;
}

const appsOf = (verdicts: ReadonlyMap<string, Verdict>): readonly App[] =>
  [...verdicts.values()].flatMap(({ app }) => app ?? []);

/** Follows the definitions. The stores must hold them whole. */
export function followDefinitions(stores: Stores, builtin: readonly App[]): Definitions {
  const use = stores.use(ApplicationDefinition);
  const { store } = use;
  const served = new ServedDefinitions(builtin);
  const listeners = new Set<() => void>();
  let verdicts: ReadonlyMap<string, Verdict> = new Map();
  let apps: readonly App[] = builtin;

  function judge(): void {
    // Unserved: the kind is not installed yet.
    if (!store.hasSynced) return;
    verdicts = served.judge(store.state.is === "unserved" ? [] : store.list());
    const now = [...builtin, ...appsOf(verdicts)];
    if (now.length === apps.length && now.every((app, at) => app === apps[at])) return;
    apps = now;
    for (const listener of listeners) listener();
  }

  const leave = [store.subscribe(judge), store.onState(judge)];
  judge();
  return {
    store,
    list: () => apps,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    verdictOf: (name) => verdicts.get(name),
    async ready(signal) {
      await store.ready(signal);
      judge();
    },
    close() {
      for (const end of leave) end();
      use.release();
    },
  };
}

/** The same, as it is at this moment; the program's own alone where the cluster does not serve definitions, or tells us none. */
export async function definedApps(client: Client, builtin: readonly App[]): Promise<readonly App[]> {
  try {
    const { items } = await client.list(ApplicationDefinition);
    return [...builtin, ...appsOf(new ServedDefinitions(builtin).judge(items))];
  } catch (error) {
    if (isApiError(error, "Unserved", "Forbidden")) return builtin;
    throw error;
  }
}
