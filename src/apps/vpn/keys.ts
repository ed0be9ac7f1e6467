/** Users and their passwords: what the server reads, and the URLs that the tenant hands to its people. */

import { Secret, type SecretObject } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { secretText } from "../../kube/secret-text.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import type { GeneratedSecret } from "../../sdk/needs.ts";
import { givenPassword, passwordsNeed } from "../../sdk/passwords.ts";
import { addressOf, port } from "./host.ts";
import type { Input } from "./spec.ts";

/** Name of the Secret that the server reads, and of Deployment and Service. */
export const serverName = (release: string): string => `${release}-vpn`;

/** One URL per user. It is where a generated password is kept, one key for each. */
export const urlsSecret = (release: string): string => `${release}-urls`;

/** File of the server with its users. */
export const usersFile = "shadowbox_config.json";
export const serverFile = "shadowbox_server_config.json";

const cipher = "chacha20-ietf-poly1305";
const scheme = "ss://";

export function urlsNeed({ release, spec }: Input) {
  return passwordsNeed(urlsSecret(release), spec.users);
}

/** The password in a user's URL; undefined for what is none. */
function passwordIn(url: string): string | undefined {
  const [, encoded] = new RegExp(`^${scheme}([-_A-Za-z0-9]*)@`).exec(url) ?? [];
  const words = encoded === undefined ? "" : Buffer.from(encoded, "base64url").toString("utf8");
  return words.startsWith(`${cipher}:`) ? words.slice(cipher.length + 1) : undefined;
}

/** Passwords by user in the file that the server has now. */
function passwordsIn(server: SecretObject | undefined): ReadonlyMap<string, string> {
  const text = secretText(server, usersFile);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return new Map(); // none yet, or broken by hand: the URLs have the passwords too
  }
  const keys = valueAt(document, "accessKeys");
  const entries = (Array.isArray(keys) ? keys : []).map((key) => [valueAt(key, "name"), valueAt(key, "password")]);
  return new Map(
    entries.flatMap(([name, password]) =>
      typeof name === "string" && typeof password === "string" ? [[name, password] as const] : [],
    ),
  );
}

export interface Known {
  readonly server: SecretObject | undefined;
  readonly urls: GeneratedSecret;
}

/** The password of every user, sorted by name: given, else as it is, else generated. */
function passwords({ users }: Input["spec"], { server, urls }: Known): readonly (readonly [string, string])[] {
  const running = passwordsIn(server);
  return Object.keys(users)
    .sort()
    .map((user) => {
      const value = urls.values[user] ?? "";
      const kept = passwordIn(value);
      // What is there and is no URL has just been made, because all passwords are to be.
      const rotated = kept === undefined && urls.existing.has(user) ? value : undefined;
      return [user, givenPassword(users[user]) ?? rotated ?? running.get(user) ?? kept ?? value] as const;
    });
}

/** JSON as upstream writes it, so that files of running servers stay as they are. */
const json = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;

function usersText(keys: readonly (readonly [string, string])[]): string {
  const accessKeys = keys.map(([user, password], at) => ({
    id: String(at + 1),
    metricsId: user,
    name: user,
    password,
    port,
    encryptionMethod: cipher,
  }));
  const text = json({ accessKeys, nextId: accessKeys.length + 1 });
  return accessKeys.length === 0 ? text.replace("[]", "[\n  ]") : text;
}

const serverText = json({
  rollouts: [{ id: "single-port", enabled: true }],
  portForNewAccessKeys: port,
  hostname: "localhost",
});

/** Both Secrets, and the texts that the server reads. */
export function keys(input: Input, known: Known): { readonly objects: readonly Rendered[]; readonly files: object } {
  const { release, spec } = input;
  const all = passwords(spec, known);
  const files = { [serverFile]: serverText, [usersFile]: usersText(all) };
  const url = (password: string) => {
    const words = Buffer.from(`${cipher}:${password}`).toString("base64url");
    return `${scheme}${words}@${addressOf(input)}/?outline=1#${release}`;
  };
  const urls = Object.fromEntries(all.map(([user, password]) => [user, url(password)]));
  return {
    files,
    objects: [
      Secret(serverName(release), { type: "Opaque", stringData: files }),
      Secret(urlsSecret(release), { type: "Opaque", ...(all.length === 0 ? {} : { stringData: urls }) }),
    ],
  };
}
