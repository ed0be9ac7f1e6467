/** Where users are told to connect to. */
import { isIPv6 } from "node:net";
import { refuse } from "../../sdk/errors.ts";
import { hostMessage, type Input } from "./spec.ts";

/** Port of all keys. */
export const port = 40_000;

/** Host and port in a URL. */
export function addressOf({ release, spec, context }: Input): string {
  const { host } = spec;
  if (host.includes(":") && !isIPv6(host)) {
    refuse({ code: "InvalidValue", field: "spec.host", message: hostMessage, remedy: "Leave the port out." });
  }
  if (host !== "") return `${host.includes(":") ? `[${host}]` : host}:${port}`;
  if (context.namespace.host !== "") return `${release}.${context.namespace.host}:${port}`;
  return refuse({
    code: "InvalidPlatform",
    field: "_namespace.host",
    message: "the tenant has no host name, which users of the VPN connect to",
    remedy: "Give the tenant a host, or set spec.host.",
  });
}
