/**
 * Addresses and hosts in specs that go into configuration files: nothing but what they say they are.
 */
import { isIP, isIPv6 } from "node:net";
import { type TArray, type TString, Type } from "typebox";
import { refuse } from "./errors.ts";
import { listOf } from "./fields.ts";
import { type PlacedRule, rule } from "./rules.ts";

/** RE2 of an address or prefix, as far as letters go; {@link prefixRule} says the rest. */
export const prefixPattern = "^[0-9A-Fa-f.:]+(/[0-9]{1,3})?$";

const name = "[0-9A-Za-z]([-._0-9A-Za-z]*[0-9A-Za-z])?";
const port = "[0-9]{1,5}";

/** RE2 of a host: a name or an address. */
export const hostPattern = `^(${name}|[0-9A-Fa-f.:]+)$`;

/** RE2 of a host with or without a port; an IPv6 address is in brackets. */
export const endpointPattern = `^(${name}|\\[[0-9A-Fa-f.:]+\\])(:${port})?$`;

const listed = 256;

/** A list of addresses and prefixes, `10.0.0.0/8` or `2001:db8::1`. With {@link prefixRule} and {@link checkPrefixes}. */
export function prefixes(description: string): TArray<TString> {
  return listOf(Type.String({ pattern: prefixPattern, maxLength: 49 }), { maxItems: listed, description });
}

const noPrefix = "an entry is no address and no prefix such as 192.0.2.0/24 or 2001:db8::1";

export function prefixRule(path: string): PlacedRule {
  return rule({ path: `${path}.*`, rule: "isCIDR(self) || isIP(self)", message: `${path}: ${noPrefix}` });
}

function isPrefix(text: string): boolean {
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

/** A list of hosts without ports. With {@link hostRule} and {@link checkHosts}. */
export function hosts(description: string): TArray<TString> {
  return listOf(Type.String({ pattern: hostPattern, maxLength: 253 }), { maxItems: listed, description });
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

/** `host:port`, an IPv6 address in brackets. */
export function withPort(host: string, portNumber: number): string {
  return host.includes(":") ? `[${host}]:${portNumber}` : `${host}:${portNumber}`;
}
