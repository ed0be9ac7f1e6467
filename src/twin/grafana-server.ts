/**
 * Plays Grafana itself: the part of its HTTP API by which members of the organisation are kept, one Grafana for each namespace
 * below the path `/NAMESPACE`. On loopback only. What it knows is lost when it ends.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { isRecord } from "../kube/json.ts";

export interface GrafanaAccount {
  readonly user: string;
  readonly password: string;
  /** Another one means another Grafana, with nobody in it. */
  readonly instance: string;
}

export interface GrafanaServerOptions {
  /** The administrator of a namespace's Grafana; undefined: there is no Grafana. */
  readonly accountOf: (namespace: string) => Promise<GrafanaAccount | undefined>;
  /**
   * Called for each request, before it is carried out: a status to answer with instead; `drop`: it gets lost; `lost`: it is
   * carried out, and the answer gets lost.
   */
  readonly fault?: (method: string, path: string) => number | "drop" | "lost" | undefined;
}

export interface GrafanaServer {
  /** Address of a namespace's Grafana. */
  at(namespace: string): string;
  close(): Promise<void>;
}

interface Person {
  readonly id: number;
  readonly email: string;
  readonly login: string;
}

/** One Grafana: its accounts, and who of them is a member of organisation 1 in which role. */
class State {
  readonly people = new Map<number, Person>();
  readonly roles = new Map<number, string>();
  readonly administrator: GrafanaAccount;
  #next = 1;

  constructor(administrator: GrafanaAccount) {
    this.administrator = administrator;
    this.make("admin@localhost", administrator.user, "Admin");
  }

  make(email: string, login: string, role: string): number {
    const id = this.#next;
    this.#next += 1;
    this.people.set(id, { id, email, login });
    this.roles.set(id, role);
    return id;
  }

  find(loginOrEmail: string): Person | undefined {
    const wanted = loginOrEmail.toLowerCase();
    return [...this.people.values()].find(
      ({ email, login }) => email.toLowerCase() === wanted || login.toLowerCase() === wanted,
    );
  }
}

type Reply = readonly [status: number, body: unknown];

const ROLES: ReadonlySet<unknown> = new Set(["Admin", "Editor", "Viewer"]);

function text(body: unknown, field: string): string {
  const value = isRecord(body) ? body[field] : undefined;
  return typeof value === "string" ? value : "";
}

function answer(state: State, method: string, url: URL, body: unknown): Reply {
  const path = url.pathname.replace(/\/$/, "");
  const asked = `${method} ${path}`;
  if (asked === "GET /api/users/lookup") {
    const person = state.find(url.searchParams.get("loginOrEmail") ?? "");
    return person === undefined ? [404, { message: "user not found" }] : [200, person];
  }
  if (asked === "POST /api/admin/users") {
    const [email, login] = [text(body, "email"), text(body, "login")];
    if (text(body, "password").length < 4) return [400, { message: "Password is missing or too short" }];
    if (state.find(email) !== undefined || state.find(login) !== undefined) return [412, { message: "already exists" }];
    return [200, { id: state.make(email, login, "Viewer"), message: "User created" }];
  }
  if (asked === "GET /api/orgs/1/users") {
    const members = [...state.roles].flatMap(([id, role]) => {
      const person = state.people.get(id);
      return person === undefined ? [] : [{ orgId: 1, userId: id, email: person.email, login: person.login, role }];
    });
    return [200, members];
  }
  if (asked === "POST /api/orgs/1/users") {
    const person = state.find(text(body, "loginOrEmail"));
    if (person === undefined) return [404, { message: "User not found" }];
    if (!ROLES.has(text(body, "role"))) return [400, { message: "Invalid role specified" }];
    if (state.roles.has(person.id)) return [409, { message: "User is already member of this organization" }];
    state.roles.set(person.id, text(body, "role"));
    return [200, { message: "User added to organization" }];
  }
  const member = /^\/api\/orgs\/1\/users\/(\d+)$/.exec(path)?.[1];
  if (member === undefined) return [404, { message: "Not found" }];
  const id = Number(member);
  if (!state.roles.has(id)) return [404, { message: "User not found" }];
  if (method === "PATCH") {
    if (!ROLES.has(text(body, "role"))) return [400, { message: "Invalid role specified" }];
    state.roles.set(id, text(body, "role"));
    return [200, { message: "Organization user updated" }];
  }
  if (method !== "DELETE") return [404, { message: "Not found" }];
  state.roles.delete(id);
  return [200, { message: "User removed from organization" }];
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let all = "";
  for await (const chunk of request.setEncoding("utf8")) all += String(chunk);
  return all === "" ? undefined : JSON.parse(all);
}

/** Starts it on a free port. */
export async function startGrafanaServer({ accountOf, fault }: GrafanaServerOptions): Promise<GrafanaServer> {
  const states = new Map<string, State>();

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET" } = request;
    const [, namespace = "", ...rest] = (request.url ?? "/").split("/");
    const url = new URL(`/${rest.join("/")}`, "http://twin.invalid");
    const injected = fault?.(method, url.pathname);
    if (injected === "drop") {
      request.socket.destroy();
      return;
    }
    const [status, body] = typeof injected === "number" ? [injected, {}] : await reply(request, method, namespace, url);
    if (injected === "lost") {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  async function reply(request: IncomingMessage, method: string, namespace: string, url: URL): Promise<Reply> {
    const body = await bodyOf(request);
    const account = await accountOf(namespace);
    if (account === undefined) return [503, { message: "no Grafana here" }];
    const key = Buffer.from(`${account.user}:${account.password}`).toString("base64");
    if (request.headers.authorization !== `Basic ${key}`) return [401, { message: "Invalid username or password" }];
    let state = states.get(namespace);
    if (state === undefined || state.administrator.instance !== account.instance) {
      state = new State(account);
      states.set(namespace, state);
    }
    return answer(state, method, url, body);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    at: (namespace) => `http://127.0.0.1:${port}/${namespace}`,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
