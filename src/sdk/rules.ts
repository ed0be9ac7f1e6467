/**
 * Rules over a spec, as CEL that the API server evaluates.
 */

/** A CEL rule and the field it sits on. */
export interface PlacedRule {
  /** Names from the spec down, `*` for every item of a list or value of a map; empty for the spec itself. */
  readonly path: readonly string[];
  /** CEL over `self` (and `oldSelf`), the field's value. */
  readonly rule: string;
  /** What is wrong and what its user can do. */
  readonly message: string;
}

const split = (path: string): readonly string[] => (path === "" ? [] : path.split("."));

/** A rule in CEL. `path` such as `backup.schedule` or `users.*`: the field that it reads as `self`, default the whole spec. */
export function rule(given: { readonly path?: string; readonly rule: string; readonly message: string }): PlacedRule {
  return { path: split(given.path ?? ""), rule: given.rule, message: given.message };
}

/** A quantity that may grow but not shrink, as a volume. */
export function growOnly(path: string): PlacedRule {
  // An int has no quantity(), and an old value that is none must not block later edits.
  const read = (value: string) => `quantity(string(${value}))`;
  const guard = "!isQuantity(string(self)) || !isQuantity(string(oldSelf))";
  return {
    path: split(path),
    rule: `${guard} || ${read("self")}.compareTo(${read("oldSelf")}) >= 0`,
    message: `${path} can grow but not shrink; to make it smaller, move the data to a new application`,
  };
}

/** Where `when` holds, `must` has to: both CEL over the object at `path` (default the spec). */
export function requires(given: {
  readonly path?: string;
  readonly when: string;
  readonly must: string;
  readonly message: string;
}): PlacedRule {
  return { path: split(given.path ?? ""), rule: `!(${given.when}) || (${given.must})`, message: given.message };
}
