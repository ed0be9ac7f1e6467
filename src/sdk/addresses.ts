/**
 * Addresses and hosts in specs that go into configuration files: nothing but what they say they are.
 */
import { isIP, isIPv6 } from "node:net";
import { Type } from "typebox";
import { refuse } from "./errors.ts";
import { type PlacedRule, rule } from "./rules.ts";

const name = "[0-9A-Za-z]([-._0-9A-Za-z]*[0-9A-Za-z])?";
const port = "(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3})";

/** RE2 of a name or an address. */
export const hostPattern = `^(${name}|[0-9A-Fa-f.:]+)$`;

const endpointPattern = `^(${name}|\\[[0-9A-Fa-f.:]+\\])(:${port})?$`;

/** Most entries that {@link prefixRule} and the others can judge. */
export const mostAddresses = 256;

/** An address or prefix, `10.0.0.0/8` or `2001:db8::1`. Its list needs {@link prefixRule} and {@link checkPrefixes}. */
export const prefix = Type.String({ pattern: "^[0-9A-Fa-f]*[.:][0-9A-Fa-f.:]*(/[0-9]{1,3})?$", maxLength: 49 });

/** An address without a prefix. Its list needs {@link addressRule} and {@link checkAddresses}. */
export const address = Type.String({ pattern: "^[0-9A-Fa-f]*[.:][0-9A-Fa-f.:]*$", maxLength: 45 });

/** A host without a port. Its list needs {@link hostRule} and {@link checkHosts}. */
export const host = Type.String({ pattern: hostPattern, maxLength: 253 });

/**
 * A host with or without a port, `10.0.0.1:80` or `[2001:db8::1]:80`. Its list needs {@link endpointRule} and
 * {@link checkEndpoints}.
 */
export const endpoint = Type.String({ pattern: endpointPattern, maxLength: 259 });

const noPrefix = "an entry is no address and no prefix such as 192.0.2.0/24 or 2001:db8::1";

export function prefixRule(path: string): PlacedRule {
  return rule({ path: `${path}.*`, rule: "isCIDR(self) || isIP(self)", message: `${path}: ${noPrefix}` });
}

/** Whether a text is an address or a prefix. */
export function isPrefix(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return length === undefined || (/^[0-9]+$/.test(length) && Number(length) <= (family === 4 ? 32 : 128));
}

/** Refuses what {@link prefixRule} refuses, in the list at `field` such as `spec.whitelist`. */
export function checkPrefixes(list: readonly string[], field: string): void {
  const at = list.findIndex((entry) => !isPrefix(entry));
  if (at < 0) return;
  refuse({ code: "InvalidValue", field: `${field}[${at}]`, message: noPrefix, remedy: "Correct the entry." });
}

const isNone = "an entry is no address such as 192.0.2.1 or 2001:db8::1";

export function addressRule(path: string): PlacedRule {
  return rule({ path: `${path}.*`, rule: "isIP(self)", message: `${path}: ${isNone}` });
}

/** Refuses what {@link addressRule} refuses, in the list at `field`. */
export function checkAddresses(list: readonly string[], field: string): void {
  const at = list.findIndex((entry) => isIP(entry) === 0);
  if (at < 0) return;
  refuse({ code: "InvalidValue", field: `${field}[${at}]`, message: isNone, remedy: "Correct the entry." });
}

const noHost = "an entry is neither a host's name nor an address; ports are written elsewhere";

export function hostRule(path: string): PlacedRule {
  return rule({ path: `${path}.*`, rule: "!self.contains(':') || isIP(self)", message: `${path}: ${noHost}` });
}

/** Refuses what {@link hostRule} refuses, in the list at `field`. */
export function checkHosts(list: readonly string[], field: string): void {
  const at = list.findIndex((entry) => entry.includes(":") && !isIPv6(entry));
  if (at < 0) return;
  refuse({ code: "InvalidValue", field: `${field}[${at}]`, message: noHost, remedy: "Correct the entry." });
}

const noAddress = "what is in brackets is no IPv6 address";

export function endpointRule(path: string): PlacedRule {
  const inBrackets = "self.substring(1, self.indexOf(']'))";
  const message = `${path}: ${noAddress}`;
  return rule({ path: `${path}.*`, rule: `!self.startsWith('[') || isIP(${inBrackets})`, message });
}

/** Refuses what {@link endpointRule} refuses, in the list at `field`. */
export function checkEndpoints(list: readonly string[], field: string): void {
  const at = list.findIndex((entry) => entry.startsWith("[") && !isIPv6(entry.slice(1, entry.indexOf("]"))));
  if (at < 0) return;
  refuse({ code: "InvalidValue", field: `${field}[${at}]`, message: noAddress, remedy: "Correct the entry." });
}

/** `host:port`, an IPv6 address in brackets. */
export function withPort(to: string, portNumber: number): string {
  return to.includes(":") ? `[${to}]:${portNumber}` : `${to}:${portNumber}`;
}
