/**
 * Delegated authentication: who asks, as the API server's front proxy says. Nobody else is believed: the connection must
 * carry a certificate of the front proxy's authority with a name that the cluster allows.
 */
import type { Caller } from "./incoming.ts";

/** What the cluster publishes in ConfigMap `kube-system/extension-apiserver-authentication`. */
export interface FrontProxy {
  /** PEM. */
  readonly ca: string;
  /** Common names of client certificates that may speak for users. Empty: any of that authority. */
  readonly allowedNames: readonly string[];
  /** Header names, lower case; the first that is present counts. */
  readonly userHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  /** Lower case. */
  readonly extraPrefixes: readonly string[];
}

/** The peer of a connection. */
export interface Peer {
  /** Whether its certificate was verified against {@link FrontProxy.ca}. */
  readonly verified: boolean;
  readonly commonName: string | undefined;
}

function names(text: string | undefined): readonly string[] {
  if (text === undefined) return [];
  const list: unknown = JSON.parse(text);
  if (!Array.isArray(list) || !list.every((one) => typeof one === "string")) throw new Error("not a list of names");
  return list;
}

const lower = (list: readonly string[]): readonly string[] => list.map((one) => one.toLowerCase());

/**
 * Reads the ConfigMap's data; undefined where the cluster has no front proxy. Throws for data that is not understood, so
 * that a broken entry is never taken for an empty one, which would allow every name.
 */
export function frontProxyOf(data: Readonly<Record<string, string>> | undefined): FrontProxy | undefined {
  const ca = data?.["requestheader-client-ca-file"];
  if (data === undefined || ca === undefined || ca.trim() === "") return undefined;
  return {
    ca,
    allowedNames: names(data["requestheader-allowed-names"]),
    userHeaders: lower(names(data["requestheader-username-headers"])),
    uidHeaders: lower(names(data["requestheader-uid-headers"])),
    groupHeaders: lower(names(data["requestheader-group-headers"])),
    extraPrefixes: lower(names(data["requestheader-extra-headers-prefix"])),
  };
}

/** Header values arrive as Latin-1; the API server sends UTF-8. */
function decoded(value: string): string {
  if (!/[\u0080-\u00ff]/.test(value) || /[\u0100-\uffff]/.test(value)) return value;
  const utf8 = Buffer.from(value, "latin1").toString("utf8");
  return utf8.includes("\ufffd") ? value : utf8;
}

function percentDecoded(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    // Not escaped by the API server: the key as it is.
    return key;
  }
}

/** Every value of each header, in order. Joined values cannot be told apart: a group may hold a comma. */
function valuesOf(rawHeaders: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? "").toLowerCase();
    const value = decoded(rawHeaders[index + 1] ?? "");
    const values = found.get(name);
    if (values === undefined) found.set(name, [value]);
    else values.push(value);
  }
  return found;
}

/**
 * The user that the front proxy names, undefined when the peer may not name anyone or names nobody.
 * @param rawHeaders names and values in turn, as Node gives them
 */
export function callerOf(
  frontProxy: FrontProxy | undefined,
  peer: Peer,
  rawHeaders: readonly string[],
): Caller | undefined {
  if (frontProxy === undefined || !peer.verified) return undefined;
  const { allowedNames } = frontProxy;
  if (allowedNames.length > 0 && (peer.commonName === undefined || !allowedNames.includes(peer.commonName))) {
    return undefined;
  }
  const headers = valuesOf(rawHeaders);
  const first = (list: readonly string[]): string | undefined =>
    list.map((name) => headers.get(name)?.[0]).find((value) => value !== undefined && value !== "");
  const user = first(frontProxy.userHeaders);
  if (user === undefined) return undefined;
  const uid = first(frontProxy.uidHeaders);
  const extra: Record<string, readonly string[]> = {};
  for (const [name, values] of headers) {
    const prefix = frontProxy.extraPrefixes.find((one) => name.startsWith(one));
    if (prefix !== undefined) extra[percentDecoded(name.slice(prefix.length))] = values;
  }
  return {
    user,
    ...(uid === undefined ? {} : { uid }),
    groups: frontProxy.groupHeaders.flatMap((name) => headers.get(name) ?? []),
    extra,
  };
}
