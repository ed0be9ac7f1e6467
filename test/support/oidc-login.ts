/**
 * What `kubectl oidc-login get-token` does, with a person who is quick: goes through the provider's pages with the name that
 * PERSON says, and prints the token as kubectl wants it. Trusts the authority of NODE_EXTRA_CA_CERTS.
 */
import { createHash, randomBytes } from "node:crypto";
import { parseArgs } from "node:util";
import { valueAt } from "../../src/kube/json.ts";

interface Login {
  readonly issuer: string;
  readonly client: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string;
  readonly person: string;
}

/** What a browser keeps: cookies, and the path each is for. */
class Browser {
  readonly #cookies = new Map<string, { readonly value: string; readonly path: string }>();

  async go(url: URL, form?: Readonly<Record<string, string>>): Promise<Response> {
    const cookies = [...this.#cookies].filter(([, { path }]) => url.pathname.startsWith(path));
    const answer = await fetch(url, {
      redirect: "manual",
      headers: { cookie: cookies.map(([name, { value }]) => `${name}=${value}`).join("; ") },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, { value, path: /path=([^;]+)/i.exec(line)?.[1] ?? "/" });
    }
    return answer;
  }
}

/** The token of a person, by way of the code. */
async function login({ issuer, client, scopes, redirectUri, person }: Login): Promise<string> {
  const discovered: unknown = await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();
  const verifier = randomBytes(32).toString("base64url");
  const page = new URL(String(valueAt(discovered, "authorization_endpoint")));
  page.search = new URLSearchParams({
    client_id: client,
    response_type: "code",
    redirect_uri: redirectUri,
    scope: scopes.join(" "),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  const code = await codeOf(new Browser(), page, redirectUri, person);
  const answer = await fetch(String(valueAt(discovered, "token_endpoint")), {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: client,
      code,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    }),
  });
  const token = valueAt(await answer.json(), "id_token");
  if (typeof token !== "string") throw new Error("the provider gave no token");
  return token;
}

/** Logs in and consents, page by page, until it is sent back with a code. */
async function codeOf(browser: Browser, first: URL, redirectUri: string, person: string): Promise<string> {
  let url = first;
  let form: Record<string, string> | undefined;
  for (let pages = 0; pages < 12; pages += 1) {
    const answer = await browser.go(url, form);
    form = undefined;
    const location = answer.headers.get("location");
    if (location !== null) {
      url = new URL(location, url);
      if (!url.href.startsWith(redirectUri)) continue;
      const code = url.searchParams.get("code");
      if (code === null) throw new Error(`the provider says ${url.searchParams.get("error_description")}`);
      return code;
    }
    const text = await answer.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(text)?.[1];
    if (prompt === undefined) throw new Error(`no page to log in at ${url.pathname}: ${answer.status}`);
    form = prompt === "login" ? { prompt, login: person, password: "any" } : { prompt };
  }
  throw new Error("the provider leads in circles");
}

const { values } = parseArgs({
  allowPositionals: true,
  options: {
    "oidc-issuer-url": { type: "string", default: "" },
    "oidc-client-id": { type: "string", default: "" },
    "oidc-extra-scope": { type: "string", multiple: true, default: [] },
    "oidc-use-pkce": { type: "boolean", default: false },
  },
});
const token = await login({
  issuer: values["oidc-issuer-url"],
  client: values["oidc-client-id"],
  scopes: ["openid", ...values["oidc-extra-scope"]],
  redirectUri: "http://localhost:8000",
  person: process.env["PERSON"] ?? "",
});
console.log(
  JSON.stringify({ apiVersion: "client.authentication.k8s.io/v1", kind: "ExecCredential", status: { token } }),
);
