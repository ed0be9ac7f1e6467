/** An OpenID provider on loopback, a real one, with people who log in by their names alone. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Provider } from "oidc-provider";
import { ensureCertificates } from "../../embedded/certificates.ts";

export interface Person {
  readonly email: string;
  /** Default true. */
  readonly verified?: boolean;
  readonly groups: readonly string[];
}

export interface OpenIdProvider {
  readonly issuer: string;
  /** Another issuer, who is found and whose keys are known: an API server looks for each that it is told of. */
  also(name: string): string;
  /** PEM of the authority that its certificate is from, and a file with it. */
  readonly ca: string;
  readonly caFile: string;
  close(): Promise<void>;
}

/** `clients`: programs that ask for tokens, which are then meant for them. `people`: by the names they log in by. */
export async function startOpenIdProvider(
  clients: readonly string[],
  people: Readonly<Record<string, Person>>,
): Promise<OpenIdProvider> {
  const folder = mkdtempSync(join(tmpdir(), "openid-"));
  const certificates = await ensureCertificates(folder, ["127.0.0.1", "localhost"], new Date());
  const server = createServer({
    cert: readFileSync(certificates.serving),
    key: readFileSync(certificates.servingKey),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the provider has no port");
  const issuer = `https://127.0.0.1:${address.port}`;
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const provider = new Provider(issuer, {
    clients: clients.map((id) => ({
      client_id: id,
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code"],
      response_types: ["code"],
      redirect_uris: ["http://localhost:8000"],
      // A page of this machine, as of a program that a person runs.
      application_type: "native",
    })),
    claims: { openid: ["sub"], email: ["email", "email_verified"], groups: ["groups"] },
    scopes: ["openid", "email", "groups"],
    // As Keycloak: what was asked for is in the token itself.
    conformIdTokenClaims: false,
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    jwks: { keys: [{ ...privateKey.export({ format: "jwk" }), use: "sig", alg: "RS256" }] },
    cookies: { keys: [randomBytes(16).toString("hex")] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_: unknown, accountId: string) => {
      const person = people[accountId];
      if (person === undefined) return undefined;
      const { email, verified = true, groups } = person;
      return { accountId, claims: () => ({ sub: accountId, email, email_verified: verified, groups }) };
    },
  });
  const answer = provider.callback();
  server.on("request", (request, response) => {
    const [, name] = /^\/also\/(\w+)\/\.well-known\/openid-configuration$/.exec(request.url ?? "") ?? [];
    if (name === undefined) return answer(request, response);
    const also = `${issuer}/also/${name}`;
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ issuer: also, jwks_uri: `${issuer}/jwks` }));
  });
  return {
    issuer,
    also: (name) => `${issuer}/also/${name}`,
    ca: readFileSync(certificates.ca, "utf8"),
    caFile: certificates.ca,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
