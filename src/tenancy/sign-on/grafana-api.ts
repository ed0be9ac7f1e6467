/**
 * The part of Grafana's HTTP API that keeps the members of its organisation: documented at grafana.com under "User API",
 * "Admin API" and "Organization API".
 */
import { request } from "undici";
import { CozystackError } from "../../kube/errors.ts";
import { isRecord } from "../../kube/json.ts";

export type Role = "Admin" | "Editor" | "Viewer";

export interface Member {
  readonly id: number;
  readonly email: string;
  readonly login: string;
  readonly role: string;
}

export interface Account {
  readonly user: string;
  readonly password: string;
}

/** The organisation that every Grafana has. */
const ORGANISATION = 1;

/** Milliseconds that one answer may take. */
const PATIENCE = 10_000;

/** Most bytes of an answer that are read: a list of ten thousand members is far below. */
const LONGEST_ANSWER = 16 * 1024 * 1024;

/** Grafana could not be asked, or said no. The message has no account's password. */
export class GrafanaError extends CozystackError {
  declare readonly code: "GrafanaUnavailable" | "GrafanaRefused";
  /** HTTP status; undefined where there was no answer. */
  readonly status: number | undefined;

  constructor(code: GrafanaError["code"], message: string, status?: number) {
    const remedy =
      code === "GrafanaUnavailable"
        ? "It is tried again. Look at Grafana's pods, and whether the controllers may reach them."
        : "Look at Grafana's log; after a change by hand, compare the password in grafana-admin-password with Grafana's.";
    super(code, message, remedy);
    this.status = status;
  }
}

export interface GrafanaApi {
  members(): Promise<readonly Member[]>;
  /** Id of an account by login or email; undefined: there is none. */
  find(loginOrEmail: string): Promise<number | undefined>;
  /** Makes an account and gives its id; undefined where it exists already. */
  create(email: string, password: string): Promise<number | undefined>;
  /** Lets an account in; false where it is in already, whatever its role. */
  admit(loginOrEmail: string, role: Role): Promise<boolean>;
  setRole(id: number, role: Role): Promise<void>;
  /** Takes an account out; one that is out already is fine. */
  dismiss(id: number): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `base`: address of Grafana, without a slash at the end. */
export function grafanaApi(base: string, account: Account, signal?: AbortSignal): GrafanaApi {
  const authorization = `Basic ${Buffer.from(`${account.user}:${account.password}`).toString("base64")}`;

  async function send(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: object): Promise<Answer> {
    const patience = AbortSignal.timeout(PATIENCE);
    try {
      const answer = await request(`${base}${path}`, {
        method,
        headers: {
          authorization,
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: signal === undefined ? patience : AbortSignal.any([signal, patience]),
      });
      let text = "";
      for await (const chunk of answer.body.setEncoding("utf8")) {
        text += String(chunk);
        if (text.length > LONGEST_ANSWER) throw new Error("the answer is too long");
      }
      return { status: answer.statusCode, body: parsed(text) };
    } catch (error) {
      signal?.throwIfAborted();
      const why = error instanceof Error ? error.message : "no answer";
      throw new GrafanaError("GrafanaUnavailable", `${method} ${base}${path.split("?")[0]}: ${why}`);
    }
  }

  /** The answer, if its status is one of these. */
  async function expect(statuses: readonly number[], ...asked: Parameters<typeof send>): Promise<Answer> {
    const answer = await send(...asked);
    if (statuses.includes(answer.status)) return answer;
    const [method, path] = asked;
    const place = `${method} ${path.split("?")[0]}`;
    // 5xx and 429: it may still come right by itself.
    const later = answer.status >= 500 || answer.status === 429;
    throw new GrafanaError(
      later ? "GrafanaUnavailable" : "GrafanaRefused",
      `${place}: status ${answer.status}`,
      answer.status,
    );
  }

  const members = `/api/orgs/${ORGANISATION}/users`;
  return {
    async members() {
      const { body } = await expect([200], "GET", members);
      if (!Array.isArray(body)) throw new GrafanaError("GrafanaRefused", `GET ${members}: the answer is no list`, 200);
      return body.map(memberOf);
    },
    async find(loginOrEmail) {
      const path = `/api/users/lookup?loginOrEmail=${encodeURIComponent(loginOrEmail)}`;
      const { status, body } = await expect([200, 404], "GET", path);
      return status === 404 ? undefined : idOf(body, "GET /api/users/lookup");
    },
    async create(email, password) {
      const fresh = { name: email, email, login: email, password, OrgId: ORGANISATION };
      const { status, body } = await expect([200, 201, 409, 412], "POST", "/api/admin/users", fresh);
      return status < 300 ? idOf(body, "POST /api/admin/users") : undefined;
    },
    async admit(loginOrEmail, role) {
      const { status } = await expect([200, 201, 409], "POST", members, { loginOrEmail, role });
      return status !== 409;
    },
    async setRole(id, role) {
      await expect([200], "PATCH", `${members}/${id}`, { role });
    },
    async dismiss(id) {
      await expect([200, 404], "DELETE", `${members}/${id}`);
    },
  };
}

function idOf(body: unknown, asked: string): number {
  const id = isRecord(body) ? body["id"] : undefined;
  if (typeof id === "number") return id;
  throw new GrafanaError("GrafanaRefused", `${asked}: the answer names no account`, 200);
}

function memberOf(entry: unknown): Member {
  const field = (name: string): string => {
    const value = isRecord(entry) ? entry[name] : undefined;
    return typeof value === "string" ? value : "";
  };
  const id = isRecord(entry) ? entry["userId"] : undefined;
  if (typeof id !== "number") {
    throw new GrafanaError("GrafanaRefused", "GET members: an entry of the answer has no userId", 200);
  }
  return { id, email: field("email"), login: field("login"), role: field("role") };
}
