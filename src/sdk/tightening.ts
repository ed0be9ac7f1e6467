/**
 * Rules that are still to come (api-machinery rule 21). What people have stored under a wider rule must stay editable: a
 * version that will refuse something first warns of it, at admission and by the condition `WillBeRefused`, and the next one
 * has the rule itself.
 */

/** A rule of the next version. */
export interface ComingRule {
  /** The field that a refusal will be about, such as `spec.size`. */
  readonly field: string;
  /** What will have to hold, in CEL over the spec as `self`. */
  readonly rule: string;
  /** What is wrong and what its user can do. */
  readonly message: string;
  /** The version that will refuse. */
  readonly from: string;
}

/** The same for the program, which judges what is stored already. `holds` must say what `rule` says. */
export interface Tightening<Spec> extends ComingRule {
  readonly holds: (spec: Spec) => boolean;
}

/** What a warning says. */
export function comingText({ field, message, from }: ComingRule): string {
  return `${field}: ${message}; version ${from} refuses it`;
}

/** What of a spec will be refused, a line each. */
export function comingRefusals<Spec>(tightening: readonly Tightening<Spec>[], spec: Spec): readonly string[] {
  return tightening.filter(({ holds }) => !holds(spec)).map(comingText);
}
