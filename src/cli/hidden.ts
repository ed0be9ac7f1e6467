/**
 * What people of a tenant ask for and only administrators may see.
 */
import { CozystackError, isApiError } from "../kube/errors.ts";

class HiddenError extends CozystackError {
  constructor(what: string, remedy: string, cause: unknown) {
    super("Forbidden", `${what}, which only administrators may see`, remedy, { cause });
  }
}

/** Turns the API server's refusal into one that says what it is about and what else helps. */
export function hiddenAs(what: string, remedy: string): (error: unknown) => never {
  return (error) => {
    throw isApiError(error, "Forbidden") ? new HiddenError(what, remedy, error) : error;
  };
}
