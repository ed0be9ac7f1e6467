/**
 * Where the reconcile path gets an application's surroundings from. The tenancy room implements it; tests and the CLI
 * pass fixed values.
 */
import type { ObjectRef } from "../kube/object.ts";
import type { AppContext } from "../sdk/context.ts";

/** The context of a namespace, or why there is none. A failed read is neither: it throws, and the pass is retried. */
export type ContextAnswer =
  | { readonly is: "known"; readonly context: AppContext }
  /** The tenant's namespace or its values do not exist yet; `why` is a sentence for people. */
  | { readonly is: "waiting"; readonly on: ObjectRef; readonly why: string }
  /** The namespace is there and belongs to no tenant: nothing can be ordered in it. */
  | { readonly is: "notATenant"; readonly on: ObjectRef };

export interface ContextSource {
  /** Answers from what is watched. Waits only until the first lists have arrived. */
  contextOf(namespace: string, signal?: AbortSignal): Promise<ContextAnswer>;
  /** Calls back with each namespace whose context may have changed, `undefined` for all of them. Returns how to stop. */
  onChange(listener: (namespace: string | undefined) => void): () => void;
}

/** The same context everywhere, for ever. */
export function fixedContext(context: AppContext): ContextSource {
  const answer: ContextAnswer = { is: "known", context };
  return { contextOf: () => Promise.resolve(answer), onChange: () => () => undefined };
}
