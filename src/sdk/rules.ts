/**
 * Rules over a spec, as CEL that the API server evaluates.
 */

/** A CEL rule and the field it sits on. */
export interface PlacedRule {
  /** Names from the spec down, `*` for every item of a list or value of a map; empty for the spec itself. */
  readonly path: readonly string[];
  /** Names from there down to the field that a refusal is about; absent: the one that the rule sits on. */
  readonly field?: readonly string[];
  /** CEL over `self` (and `oldSelf`), the field's value. */
  readonly rule: string;
  /** What is wrong and what its user can do. */
  readonly message: string;
}

const split = (path: string): readonly string[] => (path === "" ? [] : path.split("."));

/** Where a rule sits, and which field below a refusal names. A rule over the whole spec must name one: nobody can correct a spec. */
type Place =
  | {
      /** Such as `backup.schedule` or `users.*`: the field that the rule reads as `self`. */
      readonly path: string;
      /** Below `path`, such as `schedule`. */
      readonly field?: string;
    }
  | { readonly path?: never; readonly field: string };

/** A rule in CEL. */
export function rule(given: Place & { readonly rule: string; readonly message: string }): PlacedRule {
  const { path = "", field, rule: cel, message } = given;
  return { path: split(path), ...(field === undefined ? {} : { field: split(field) }), rule: cel, message };
}

/** A quantity that may grow but not shrink, as a volume. */
export function growOnly(path: string): PlacedRule {
  // An int has no quantity(), and an old value that is none must not block later edits.
  const read = (value: string) => `quantity(string(${value}))`;
  // The API server reads an exponent of many digits for minutes: such a size is left to render, which refuses it.
  const long = (value: string) => `string(${value}).matches('[eE][+-]?0*[1-9][0-9]{3}')`;
  const guard = `${long("self")} || ${long("oldSelf")} || !isQuantity(string(self)) || !isQuantity(string(oldSelf))`;
  return {
    path: split(path),
    rule: `${guard} || ${read("self")}.compareTo(${read("oldSelf")}) >= 0`,
    message: `${path} can grow but not shrink; to make it smaller, move the data to a new application`,
  };
}

/** Where `when` holds, `must` has to: both CEL over the object at `path`. */
export function requires(
  given: Place & { readonly when: string; readonly must: string; readonly message: string },
): PlacedRule {
  const { when, must, ...where } = given;
  return rule({ ...where, rule: `!(${when}) || (${must})` });
}
