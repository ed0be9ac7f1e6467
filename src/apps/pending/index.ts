/**
 * Kinds that are served before their application exists: what people order is kept as they wrote it, and says so.
 */
import type { App } from "../../sdk/app.ts";
import { defineApp } from "../../sdk/define-app.ts";
import { refuse } from "../../sdk/errors.ts";
import { appSpec } from "../../sdk/spec.ts";
import { type PendingKind, pendingKinds } from "./table.ts";

function pendingApp({ kind, plural, release, category, title, summary, ...rest }: PendingKind): App {
  const { tags, weight, module } = rest;
  return defineApp({
    kind,
    plural,
    singular: kind.toLowerCase(),
    release,
    ...(module === undefined ? {} : { module }),
    catalog: {
      title,
      category,
      summary,
      ...(tags === undefined ? {} : { tags }),
      ...(weight === undefined ? {} : { weight }),
    },
    // No fields: everything is unknown, kept as stored, and takes its meaning when the application comes.
    spec: appSpec({}),
    render: () =>
      refuse({
        code: "NotImplemented",
        field: "kind",
        message: `${kind} cannot be run yet`,
        remedy:
          "Leave it out for now. One that is stored already is kept as it is, and takes effect with the version of the platform that runs this kind.",
      }),
  });
}

export const pendingApps: readonly App[] = pendingKinds.map(pendingApp);
