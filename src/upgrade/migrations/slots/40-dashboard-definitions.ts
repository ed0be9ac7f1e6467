/**
 * 40: definitions of a dashboard that is no more.
 */
import { CustomResourceDefinition } from "../../../kube/kinds/extension.ts";
import { everywhere, type Migration } from "../migration.ts";
import { deleteNamed } from "../steps.ts";

const plurals = [
  "breadcrumbs",
  "breadcrumbsinside",
  "cfomappings",
  "customcolumnsoverrides",
  "customformsoverrides",
  "customformsprefills",
  "factories",
  "marketplacepanels",
  "navigations",
  "sidebars",
  "tableurimappings",
] as const;

export const dashboardDefinitions: Migration = {
  id: 40,
  title: "delete the definitions of the former dashboard",
  why: "nothing reads their objects any more",
  where: "definitions of dashboard.cozystack.io",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "neverAgain", because: "definitions of these names that are there now are somebody else's" },
  precondition: everywhere,
  steps: [
    deleteNamed(
      "delete definitions",
      CustomResourceDefinition,
      plurals.map((plural) => ({ name: `${plural}.dashboard.cozystack.io` })),
      "the dashboard that read it is no more",
    ),
  ],
};
