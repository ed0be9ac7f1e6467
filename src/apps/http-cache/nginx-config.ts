/** The configuration of the nginx servers. */
import { toFloat } from "../../sdk/go-number.ts";
import type { Spec } from "./spec.ts";

/** A directive: its words, or its words and what stands in its braces. */
type Directive = string | readonly [head: string, directives: readonly Directive[]];

function written(directives: readonly Directive[], indent = ""): string {
  return directives
    .map((directive) =>
      typeof directive === "string"
        ? `${indent}${directive};\n`
        : `${indent}${directive[0]} {\n${written(directive[1], `${indent}    `)}${indent}}\n`,
    )
    .join("");
}

const MiB = 1024 * 1024;

/** Room in MiB that the cache leaves on its volume, whatever its own limit is. */
function leftFree(size: Spec["size"]): number {
  return Math.max(1, Math.min(512, Math.floor(toFloat(size) / MiB / 10)));
}

const cachePath = (size: Spec["size"]): Directive =>
  [
    "proxy_cache_path /data/cache levels=1:2 keys_zone=mycache:400m max_size=100g",
    `min_free=${leftFree(size)}m inactive=30d use_temp_path=off`,
  ].join(" ");

/** Without a server nginx does not start; with one that is down it answers, if only with an error. */
function origins(endpoints: Spec["endpoints"]): Directive {
  const servers = endpoints.length === 0 ? ["127.0.0.1:1 down"] : endpoints;
  return ["upstream origin_servers", servers.map((server) => `server ${server}`)];
}

/** Addresses by which traffic is counted: the first part of the path. */
const shortened: Directive = [
  "map $uri $shorten_url",
  ['default "/"', '"~^(?<only>/[^/]+)$" $only', '"~^(?<first>/[^/]+)/" "$first/*"'],
];

const own: Directive = [
  "server",
  [
    "listen 10253",
    "access_log off",
    // The probes ask for /healthz.
    ["location /health", ["default_type text/plain", 'return 200 "healthy\\n"']],
    ["location /metrics", ["vhost_traffic_status_display", "vhost_traffic_status_display_format prometheus"]],
  ],
];

const failures = ["500", "502", "503", "504"].map((status) => `http_${status}`).join(" ");

const cache: Directive = [
  "server",
  [
    "listen 80",
    "vhost_traffic_status_filter_by_host on",
    "vhost_traffic_status_filter_by_set_key $shorten_url $host",
    [
      "location /",
      [
        "proxy_cache mycache",
        "proxy_cache_revalidate on",
        "proxy_cache_lock on",
        "proxy_cache_key $scheme$host$request_uri",
        "proxy_cache_purge PURGE from all",
        "cache_purge_response_type json",
        "proxy_cache_valid 200 1h",
        `proxy_cache_use_stale error timeout updating ${failures}`,
        "proxy_cache_background_update on",
        "proxy_connect_timeout 400ms",
        `proxy_next_upstream error timeout ${failures}`,
        "add_header X-Cache-Status $upstream_cache_status",
        "proxy_set_header Host $host",
        "proxy_set_header X-Real-IP $remote_addr",
        "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for",
        "proxy_hide_header Pragma",
        "proxy_hide_header Expires",
        "proxy_pass http://origin_servers",
      ],
    ],
  ],
];

/** The file. `spec.endpoints` have been checked. */
export function nginxConfig({ size, endpoints }: Spec): string {
  return written([
    "user nginx",
    "worker_processes 2",
    "error_log stderr notice",
    "pid /var/run/nginx.pid",
    ["events", ["use epoll", "multi_accept on", "worker_connections 10240"]],
    [
      "http",
      [
        "vhost_traffic_status_zone",
        "sendfile on",
        "tcp_nopush on",
        "keepalive_timeout 65",
        "gzip on",
        cachePath(size),
        origins(endpoints),
        shortened,
        own,
        cache,
      ],
    ],
  ]);
}
