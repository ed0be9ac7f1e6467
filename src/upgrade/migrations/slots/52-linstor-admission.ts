/**
 * 52: a Deployment that selects its pods by other labels than before, which cannot be changed.
 */
import { Deployment } from "../../../contracts/apps.ts";
import { everywhere, type Migration } from "../migration.ts";
import { deleteNamed } from "../steps.ts";

export const linstorAdmission: Migration = {
  id: 52,
  title: "make room for the new Deployment of LINSTOR's admission",
  why: "it selects its pods by other labels, which cannot be changed: its release would fail for ever",
  where:
    "Deployment cozy-linstor/linstor-scheduler-admission. Until the new one runs, its webhook lets everything pass",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "neverAgain", because: "the Deployment that is there now is the new one" },
  precondition: everywhere,
  steps: [
    deleteNamed(
      "delete it",
      Deployment,
      [{ name: "linstor-scheduler-admission", namespace: "cozy-linstor" }],
      "the new one selects its pods by other labels",
    ),
  ],
};
