/**
 * Applications as people ordered them: through the API of applications, whoever serves it, else from the releases in which upstream
 * keeps them.
 */
import { isRecord, valueAt } from "../../kube/json.ts";
import type { UnknownObject } from "../../kube/object.ts";
import { defineSource, type ListScope, type Resource, type Source } from "./source.ts";

export const applicationGroup = "apps.cozystack.io";

/** One kind of application. */
export interface ApplicationKind {
  readonly kind: string;
  readonly plural: string;
}

export interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** What `take` makes of an application, with its place. */
export type Ordered<R> = Place & R;

type Spec = Readonly<Record<string, unknown>>;

const releases: Resource = { group: "helm.toolkit.fluxcd.io", plural: "helmreleases" };
const label = (what: "kind" | "name"): string => `${applicationGroup}/application.${what}`;
/** In front of labels and annotations of an application, on its release. */
const mark = `${applicationGroup}-`;

function unmarked(all: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const entries = Object.entries(all ?? {}).filter(([key]) => key.startsWith(mark));
  return Object.fromEntries(entries.map(([key, value]) => [key.slice(mark.length), value]));
}

/** The application of a release. */
function applicationIn(release: UnknownObject): UnknownObject {
  const { labels, annotations, ...metadata } = release.metadata;
  return {
    ...release,
    metadata: {
      ...metadata,
      name: labels?.[label("name")] ?? metadata.name,
      labels: unmarked(labels),
      annotations: unmarked(annotations),
    },
    spec: valueAt(release, "spec", "values"),
  };
}

function specOf(object: UnknownObject): Spec {
  const { spec } = object;
  return isRecord(spec) ? spec : {};
}

/** All applications of a kind. `take` is given the spec as it is stored, or with defaults where the API fills them in. */
export function applicationsOf<R extends object>(
  { kind, plural }: ApplicationKind,
  take: (spec: Spec, object: UnknownObject) => R,
  scope: ListScope = {},
): Source<readonly Ordered<R>[]> {
  const ordered = (object: UnknownObject): Ordered<R> => ({
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name,
    ...take(specOf(object), object),
  });
  const resource = { group: applicationGroup, plural };
  return defineSource([resource, releases], async (reader) => {
    const served = await reader.list(resource, ordered, scope);
    if (served.is !== "notServed") return served;
    const ofKind = `${label("kind")}=${kind}`;
    return reader.list(releases, (release) => ordered(applicationIn(release)), { ...scope, labelSelector: ofKind });
  });
}

/** A reference for findings. */
export const applicationRef = (kind: string, { namespace, name }: Place) => ({
  group: applicationGroup,
  kind,
  namespace,
  name,
});
