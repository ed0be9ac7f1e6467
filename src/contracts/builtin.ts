/**
 * Kinds that Kubernetes itself serves: they need no schema of ours, only how a change of them reaches what runs.
 */
import { type Body, defineKind, type KindConstructor, type KindNames } from "../kube/define-kind.ts";
import type { KubeObject } from "../kube/object.ts";
import type { ImpactRules } from "./impact.ts";

export interface BuiltinDefinition extends KindNames {
  /** Default: every change is `inPlace`. */
  readonly impact?: ImpactRules;
}

/** A built-in kind whose objects the caller handles without knowing their type. */
export interface AnyBuiltinKind extends KindNames {
  readonly impact: ImpactRules;
}

/** A built-in kind that makes its objects. */
export interface BuiltinKind<T extends KubeObject> extends KindConstructor<T> {
  readonly impact: ImpactRules;
}

/** Defines a kind of Kubernetes' own; `T` is a promise about its objects. */
export function defineBuiltin<T extends KubeObject>(definition: BuiltinDefinition): BuiltinKind<T>;
// As in defineKind: the overload states what the compiler cannot see of a generic T.
export function defineBuiltin(definition: BuiltinDefinition): object {
  const { impact = { otherwise: "inPlace" }, group, version, kind, plural, namespaced } = definition;
  const names: KindNames = { group, version, kind, plural, namespaced };
  const make = defineKind<KubeObject>(names);
  return Object.freeze(Object.assign((name: string, body?: Body<KubeObject>) => make(name, body), names, { impact }));
}
