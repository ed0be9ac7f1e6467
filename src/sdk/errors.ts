/**
 * What a render or a check refuses, as one table of stable codes. A refusal is no fault of the program: it ends in the
 * application's condition, with the field and what its user can do. docs/errors.md explains each code.
 */
import { CozystackError } from "../kube/errors.ts";

/** Every code a {@link Refusal} may carry, and when it is used. */
export const refusals = {
  InvalidSpec:
    "The spec does not fit the schema of its kind: a wrong type, a missing field, a value outside its bounds.",
  InvalidValue:
    "A value fits the schema but means nothing here: two fields contradict each other, a name is no valid name.",
  InvalidQuantity: "A quantity such as 10Gi or 500m cannot be read.",
  InvalidDuration: "A duration such as 30s or 1h30m cannot be read.",
  InvalidName: "A name of the application, or one derived from it, is no name Kubernetes accepts.",
  NameTooLong: "A name derived from the application's name is longer than Kubernetes allows.",
  UnknownPreset: "The resources preset does not exist.",
  InvalidPlatform: "A value of the platform configuration that the application reads cannot be used.",
  DuplicateObject: "One application would render the same object twice.",
  ImmutableField: "A field that cannot change once the application exists differs from what is live.",
  UnsafeNames:
    "Data of the application lies under other names than it would have now: going on would leave it behind, or mix it with other data.",
  PackageMissing: "The application needs a package of the platform that is not installed.",
  DefinedElsewhere: "The definition of the kind is in a folder that the command was not given.",
  NotATenant: "The application is not in the namespace of a tenant.",
} as const satisfies Record<string, string>;

export type RefusalCode = keyof typeof refusals;

export interface RefusalDetails {
  readonly code: RefusalCode;
  /** Path of the field in the application object, such as `spec.users.alice`; `metadata.name` for names. */
  readonly field: string;
  /** What is wrong, with the limit where there is one. Never a Secret's value. */
  readonly message: string;
  /** What the user can do, as a sentence. */
  readonly remedy: string;
}

/** An input that cannot be rendered. Retrying without a change is useless. */
export class Refusal extends CozystackError {
  declare readonly code: RefusalCode;
  readonly field: string;

  constructor(details: RefusalDetails) {
    super(details.code, `${details.field}: ${details.message}`, details.remedy);
    this.field = details.field;
  }
}

/** Throws a {@link Refusal}. */
export function refuse(details: RefusalDetails): never {
  throw new Refusal(details);
}
