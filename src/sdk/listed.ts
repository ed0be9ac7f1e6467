/**
 * Servers that something names one by one: a configuration, a certificate. How many they are is a number that anybody may write,
 * and a list of a billion names would be more than the controller has memory, for every tenant's applications.
 */
import { refuse } from "./errors.ts";

/** Servers that can be named. An object of Kubernetes has room for a few thousand. */
export const mostListed = 1000;

/**
 * What `of` gives for each server.
 * @param field path of the number in the application
 * @throws Refusal `InvalidValue` for more than {@link mostListed}
 */
export function listed<T>(count: number, field: string, of: (index: number) => T): readonly T[] {
  if (count > mostListed) {
    refuse({
      code: "InvalidValue",
      field,
      message: `${count} servers; each is named, and at most ${mostListed} can be`,
      remedy: `Write a number up to ${mostListed}.`,
    });
  }
  return Array.from({ length: count }, (_, index) => of(index));
}
