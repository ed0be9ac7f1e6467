/** What applications declare whose volumes' class is immutable. */
import type { Deviation } from "./deviation.ts";

export const fixedStorageClass: Deviation = {
  class: "design",
  cases: "unseen",
  edits: ["storageClass"],
  test: "the server refuses: another storage class",
  reason: "A storage class is fixed once volumes exist; upstream's schema said so, and its server let it through.",
};
