/**
 * 42: the guard of the stamp itself.
 */
import { everywhere, type Migration } from "../migration.ts";

export const stampLabel: Migration = {
  id: 42,
  title: "guard the stamp against deletion",
  why: "without a stamp nothing would tell which migrations an installation has had",
  where: "everywhere; done whenever the stamp is written",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "neverAgain", because: "the stamp is guarded whenever it is written" },
  precondition: everywhere,
  steps: [],
};
