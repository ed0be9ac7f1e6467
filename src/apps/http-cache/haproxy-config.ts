/** The configuration of HAProxy. */
import { arrivesAt, haproxyConfig, haproxyFile, onlyFrom, section } from "../../sdk/haproxy.ts";
import type { Input } from "./spec.ts";

/** Names of the nginx servers, each of a Service, a Deployment and a claim. */
export function serverNames({ release, spec }: Input): readonly string[] {
  return Array.from({ length: spec.nginx.replicas }, (_, at) => `${release}-nginx-cache-${at}`);
}

const cloudflareFile = "CF_ips.lst";

/** Where Cloudflare's own servers connect from, as it publishes them. */
const cloudflare = [
  ...["173.245.48.0/20", "103.21.244.0/22", "103.22.200.0/22", "103.31.4.0/22", "141.101.64.0/18"],
  ...["108.162.192.0/18", "190.93.240.0/20", "188.114.96.0/20", "197.234.240.0/22", "198.41.128.0/17"],
  ...["162.158.0.0/15", "104.16.0.0/13", "104.24.0.0/14", "172.64.0.0/13", "131.0.72.0/22", "2400:cb00::/32"],
  ...["2606:4700::/32", "2803:f800::/32", "2405:b500::/32", "2405:8100::/32", "2a06:98c0::/29", "2c0f:f248::/32"],
];

/** Who is asked for what the cache does not have, and whom the origins are told about. */
const clientAddress = [
  `acl from_cf src -f ${haproxyFile(cloudflareFile)}`,
  "acl cf_ip_hdr req.hdr(CF-Connecting-IP) -m found",
  "http-request set-header X-Forwarded-For %[req.hdr(CF-Connecting-IP)] if from_cf cf_ip_hdr",
  "http-request set-header X-Forwarded-For %[src] if !from_cf",
];

export function haproxyFiles(input: Input): Readonly<Record<string, string>> {
  const { spec } = input;
  const frontend = section("frontend http", [
    "bind :::8080 v4v6",
    "mode http",
    // Origins without a port are asked at this one.
    arrivesAt(80),
    ...(spec.whitelistHTTP === true ? onlyFrom(spec.whitelist ?? []) : []),
    ...clientAddress,
    "default_backend cache",
  ]);
  const backend = section("backend cache", [
    "mode http",
    "balance uri whole",
    "hash-type consistent",
    "retry-on conn-failure 503",
    "retries 2",
    "option redispatch 1",
    "default-server observe layer7 error-limit 10 on-error mark-down",
    ...serverNames(input).map((name, at) => `server cache${at} ${name}:80 check`),
    ...spec.endpoints.map((endpoint, at) => `server origin${at} ${endpoint} backup`),
  ]);
  return {
    "haproxy.cfg": haproxyConfig([frontend, backend]),
    [cloudflareFile]: `${cloudflare.join("\n")}\n`,
  };
}
