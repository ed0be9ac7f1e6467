/** One cell tried: a request with the role's own credentials, and what its answer means. */
import type { Readable } from "node:stream";
import { Pool } from "undici";
import type { ClusterAccess } from "../../../src/kube/access.ts";
import { isRecord } from "../../../src/kube/json.ts";
import { personOf } from "../support/cluster.ts";
import type { Role, Verb } from "./table.ts";

/** `refused`: by the rights; `denied`: by an admission policy; `unserved`: nobody can do this. */
export type Outcome = "allowed" | "refused" | "denied" | "unserved" | "other";

export interface Tried {
  readonly outcome: Outcome;
  readonly status: number;
  /** Names of the items of a list, for the views that differ by caller. */
  readonly text: string;
}

/** Where and what; paths without query. */
export interface Call {
  readonly collection: string;
  readonly name: string;
  readonly subresource?: string;
  /** What is posted. */
  readonly created: object;
  /** Whether a watch is read for its first objects. */
  readonly follow?: true;
  /** What is put: the object as it is now. */
  readonly live?: object;
}

export interface Caller {
  try(role: Role, verb: Verb, call: Call): Promise<Tried>;
  close(): Promise<void>;
}

interface Sent {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: string;
  readonly contentType?: string;
}

const annotated = JSON.stringify({ metadata: { annotations: { tried: "1" } } });

/** Writes are dry runs: they are judged as the others are, and change nothing for the next cell. */
function requestOf(verb: Verb, { collection, name, subresource, created, live }: Call): Sent {
  const object = `${collection}/${name}${subresource === undefined ? "" : `/${subresource}`}`;
  switch (verb) {
    case "get":
      return { method: "GET", path: object };
    case "list":
      return { method: "GET", path: `${collection}?limit=50` };
    case "watch":
      return { method: "GET", path: `${collection}?watch=1&timeoutSeconds=5&resourceVersion=0` };
    case "create":
      return {
        method: "POST",
        path: `${subresource === undefined ? collection : object}?dryRun=All`,
        body: JSON.stringify(created),
      };
    case "update":
      return { method: "PUT", path: `${object}?dryRun=All`, body: JSON.stringify(live ?? created) };
    case "patch":
      return {
        method: "PATCH",
        path: `${object}?dryRun=All`,
        body: annotated,
        contentType: "application/merge-patch+json",
      };
    case "delete":
      return { method: "DELETE", path: `${object}?dryRun=All` };
    case "deletecollection":
      return { method: "DELETE", path: `${collection}?dryRun=All` };
  }
}

/** What an answer means. Kubernetes' own words tell who refused: rights, or a policy. */
export function outcomeOf(status: number, text: string): Outcome {
  if (status >= 200 && status < 300) return "allowed";
  const message = messageOf(text);
  if (/ValidatingAdmissionPolicy '[^']+' with binding/.test(message)) return "denied";
  if (status === 403 && /cannot [a-z]+ resource|cannot [a-z]+ path/.test(message)) return "refused";
  if (status === 405) return "unserved";
  return "other";
}

function messageOf(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) && typeof parsed["message"] === "string" ? parsed["message"] : text;
  } catch {
    return text;
  }
}

/** @param access the administrator's, who speaks for people; the account speaks for itself. */
export function caller(access: ClusterAccess, accountToken: string, connections = 16): Caller {
  const pool = new Pool(access.server, {
    connections,
    // Over HTTP/2 several groups would become one header, and one group.
    allowH2: false,
    connect: { ca: access.ca, ...(access.tlsServerName === undefined ? {} : { servername: access.tlsServerName }) },
  });
  const identity = (role: Role): Readonly<Record<string, string | string[]>> => {
    if (role === "account") return { authorization: `Bearer ${accountToken}` };
    const { user, groups } = personOf(role);
    return { authorization: `Bearer ${access.token}`, "impersonate-user": user, "impersonate-group": [...groups] };
  };
  return {
    async try(role, verb, call) {
      const { method, path, body, contentType = "application/json" } = requestOf(verb, call);
      const answer = await pool.request({
        method,
        path,
        headers: { ...identity(role), accept: "application/json", "content-type": contentType },
        ...(body === undefined ? {} : { body }),
      });
      const streaming = verb === "watch" && answer.statusCode === 200;
      const text = streaming ? await firstOf(answer.body, call.follow === true ? 150 : 0) : await answer.body.text();
      return { outcome: outcomeOf(answer.statusCode, text), status: answer.statusCode, text };
    },
    close: () => pool.close(),
  };
}

/** What a watch says within a moment (milliseconds): its initial objects. */
async function firstOf(body: Readable, within: number): Promise<string> {
  body.on("error", () => undefined);
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => body.destroy(), within);
  try {
    for await (const chunk of body) chunks.push(chunk);
  } catch {
    // Ended by us.
  }
  clearTimeout(timer);
  return Buffer.concat(chunks).toString("utf8");
}
