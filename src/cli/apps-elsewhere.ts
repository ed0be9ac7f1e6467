/**
 * Kinds of applications that the cluster serves and this command has no definition of, as those of a folder that only
 * `up --apps` was given. They can be named, listed, followed and deleted; what they are made of is not known here.
 */
import Type from "typebox";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import type { AnyKind } from "../kube/object.ts";
import type { App } from "../sdk/app.ts";
import { appsGroup } from "../sdk/define-app.ts";
import { refuse } from "../sdk/errors.ts";
import { kindsServed } from "./kinds.ts";

/** `known`, and every other kind of application that the cluster serves. */
export async function withServed(client: Client, known: readonly App[]): Promise<readonly App[]> {
  const names = new Set(known.filter(({ group }) => group === appsGroup).map(({ kind }) => kind));
  const kinds = await kindsServed(client, `${appsGroup}/v1alpha1`).catch((error: unknown) => {
    // Who may not ask what is served knows what the program knows.
    if (isApiError(error, "Forbidden")) return [];
    throw error;
  });
  return [...known, ...kinds.filter(({ kind, namespaced }) => namespaced && !names.has(kind)).map(appElsewhere)];
}

function appElsewhere({ group, kind, plural }: AnyKind): App {
  return {
    group,
    kind,
    plural,
    singular: kind.toLowerCase(),
    release: "",
    module: false,
    catalog: { title: kind, category: "", summary: "Defined by whoever runs the controllers." },
    elsewhere: true,
    longestName: 63,
    schema: Type.Object({}),
    crd() {
      throw new TypeError(`the definition of ${kind} is the cluster's own`);
    },
    instance: () =>
      refuse({
        code: "DefinedElsewhere",
        field: "kind",
        message: `the definition of ${kind} is in a folder that this command was not given: name it with --apps`,
        remedy: "Repeat the command with --apps and the folder that `cozystack up` was given.",
      }),
    deletion: () => [],
  };
}
