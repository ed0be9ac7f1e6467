/**
 * The routes of the aggregated API.
 */
import type { Answer } from "./answer.ts";
import { type ApiGroup, allGroups, groupResources, oneGroup } from "./discovery.ts";
import type { Incoming } from "./incoming.ts";
import type { Route } from "./listener.ts";
import { openApiAnswers } from "./openapi/documents.ts";
import { type RestOptions, serveResource } from "./rest.ts";
import { badRequest, methodNotAllowed, notFound } from "./status.ts";

const readOnly =
  (answer: (incoming: Incoming) => Answer) =>
  (incoming: Incoming): Answer => {
    if (incoming.method === "GET" || incoming.method === "HEAD") return answer(incoming);
    throw methodNotAllowed({ group: "", plural: "path", name: incoming.path }, incoming.method.toLowerCase());
  };

export function apiRoutes(api: ApiGroup, options: Omit<RestOptions, "resources">): readonly Route[] {
  const openApi = openApiAnswers(api);
  const rest = { ...options, resources: api.resources };
  const root = `/apis/${api.group}/${api.version}`;
  const documents = readOnly((incoming) => {
    const answer = openApi(incoming);
    if (answer === undefined) throw notFound({ group: "", plural: "path", name: incoming.path });
    return answer;
  });
  return [
    { path: "/apis", for: "users", handle: readOnly((incoming) => allGroups(api, incoming)) },
    { path: `/apis/${api.group}`, for: "users", handle: readOnly((incoming) => oneGroup(api, incoming)) },
    { path: root, for: "users", handle: readOnly((incoming) => groupResources(api, incoming)) },
    {
      path: `${root}/`,
      for: "users",
      handle: (incoming, caller) => {
        try {
          decodeURIComponent(incoming.path);
        } catch {
          throw badRequest("the path is not encoded well");
        }
        return serveResource(rest, incoming, caller);
      },
    },
    { path: "/openapi/v2", for: "users", handle: documents },
    { path: "/openapi/v3", for: "users", handle: documents },
    { path: "/openapi/v3/", for: "users", handle: documents },
  ];
}
