/**
 * Discovery: what this server serves, in the old form (a document per group and version) and the new one (all in one).
 */
import { createHash } from "node:crypto";
import { type Answer, type Document, json } from "./answer.ts";
import type { Incoming } from "./incoming.ts";
import { apiVersion, type Resource, type ResourceNames } from "./resource.ts";

export interface ApiGroup {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly Resource[];
}

/** With a tag, so that the API server asks again without reading again. */
function tagged(value: unknown, incoming: Incoming, contentType = "application/json"): Document {
  const answer = json(value);
  const etag = `"${createHash("sha256").update(answer.body).digest("hex")}"`;
  const same = incoming.header("if-none-match") === etag;
  return { ...answer, contentType, headers: { etag }, ...(same ? { status: 304, body: "" } : {}) };
}

function groupOf({ group, version }: ApiGroup) {
  const groupVersion = { groupVersion: `${group}/${version}`, version };
  return { name: group, versions: [groupVersion], preferredVersion: groupVersion };
}

const aggregatedVersions = ["v2", "v2beta1"] as const;

/** The version of aggregated discovery that the client understands, if any. */
function aggregatedVersion(incoming: Incoming): (typeof aggregatedVersions)[number] | undefined {
  const accept = (incoming.header("accept") ?? "").replaceAll(/\s/g, "");
  const wanted = accept.split(",").filter((part) => part.includes("as=APIGroupDiscoveryList"));
  return aggregatedVersions.find((version) => wanted.some((part) => part.split(";").includes(`v=${version}`)));
}

function aggregated(api: ApiGroup) {
  const kindOf = ({ group, version, kind }: ResourceNames) => ({ group, version, kind });
  const resources = api.resources.map(({ names, verbs }) => ({
    resource: names.plural,
    responseKind: kindOf(names),
    scope: names.namespaced ? "Namespaced" : "Cluster",
    singularResource: names.singular,
    verbs,
  }));
  return { metadata: { name: api.group }, versions: [{ version: api.version, resources, freshness: "Current" }] };
}

/** `/apis` */
export function allGroups(api: ApiGroup, incoming: Incoming): Answer {
  const version = aggregatedVersion(incoming);
  if (version === undefined)
    return tagged({ kind: "APIGroupList", apiVersion: "v1", groups: [groupOf(api)] }, incoming);
  const group = "apidiscovery.k8s.io";
  const list = {
    kind: "APIGroupDiscoveryList",
    apiVersion: `${group}/${version}`,
    metadata: {},
    items: [aggregated(api)],
  };
  return tagged(list, incoming, `application/json;g=${group};v=${version};as=APIGroupDiscoveryList`);
}

/** `/apis/GROUP` */
export function oneGroup(api: ApiGroup, incoming: Incoming): Answer {
  return tagged({ kind: "APIGroup", apiVersion: "v1", ...groupOf(api) }, incoming);
}

/** `/apis/GROUP/VERSION` */
export function groupResources(api: ApiGroup, incoming: Incoming): Answer {
  const resources = api.resources.map(({ names, verbs }) => ({
    name: names.plural,
    singularName: names.singular,
    namespaced: names.namespaced,
    kind: names.kind,
    verbs,
  }));
  return tagged({ kind: "APIResourceList", apiVersion: "v1", groupVersion: apiVersion(api), resources }, incoming);
}
