import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { httpCache } from "./index.ts";

const haproxyName = "http-cache-demo-haproxy";
const nginxName = "http-cache-demo-nginx-cache";
const demo = (spec: object) => renderApp(httpCache, { spec });
const file = (spec: object, name: string, key: string) =>
  String(valueAt(demo(spec).object("ConfigMap", name), "data", key));

/** Sections of HAProxy's configuration: their lines by what they begin with. */
function haproxy(spec: object): ReadonlyMap<string, readonly string[]> {
  const sections = file(spec, haproxyName, "haproxy.cfg").split("\n\n");
  return new Map(
    sections.map((part) => {
      const [head = "", ...lines] = part.trimEnd().split("\n");
      return [head, lines.map((line) => line.trim())];
    }),
  );
}

const nginx = (spec: object) =>
  file(spec, nginxName, "nginx.conf")
    .split("\n")
    .map((line) => line.trim());

for (const replicas of [0, 1, 12]) {
  test(`${replicas} nginx servers have as many volumes, and HAProxy asks each`, () => {
    const spec = { nginx: { replicas }, endpoints: ["a"] };
    assert.equal(demo(spec).objects.filter(({ kind }) => kind === "PersistentVolumeClaim").length, replicas);
    const servers = haproxy(spec)
      .get("backend cache")
      ?.filter((line) => line.startsWith("server"));
    const caches = Array.from({ length: replicas }, (_, at) => `server cache${at} ${nginxName}-${at}:80 check`);
    assert.deepEqual(servers, [...caches, "server origin0 a backup"]);
  });
}

test("requests for one address go to one server, origins stand in for those that fail", () => {
  assert.deepEqual(haproxy({ endpoints: ["10.0.0.1:80", "[2001:db8::1]:8080"] }).get("backend cache"), [
    "mode http",
    "balance uri whole",
    "hash-type consistent",
    "retry-on conn-failure 503",
    "retries 2",
    "option redispatch 1",
    "default-server observe layer7 error-limit 10 on-error mark-down",
    `server cache0 ${nginxName}-0:80 check`,
    `server cache1 ${nginxName}-1:80 check`,
    "server origin0 10.0.0.1:80 backup",
    "server origin1 [2001:db8::1]:8080 backup",
  ]);
});

const client = [
  "acl from_cf src -f /usr/local/etc/haproxy/CF_ips.lst",
  "acl cf_ip_hdr req.hdr(CF-Connecting-IP) -m found",
  "http-request set-header X-Forwarded-For %[req.hdr(CF-Connecting-IP)] if from_cf cf_ip_hdr",
  "http-request set-header X-Forwarded-For %[src] if !from_cf",
  "default_backend cache",
];
const whitelists = [
  { why: "is not asked for", spec: { whitelist: ["10.0.0.1"] }, rules: [] },
  {
    why: "lets those in that it lists",
    spec: { whitelistHTTP: true, whitelist: ["1.2.3.4", "10.0.0.0/8"] },
    rules: [
      "acl whitelist src 1.2.3.4 10.0.0.0/8",
      "tcp-request content accept if whitelist",
      "tcp-request content reject",
    ],
  },
  { why: "lets nobody in while it is empty", spec: { whitelistHTTP: true }, rules: ["tcp-request content reject"] },
] as const;

for (const { why, spec, rules } of whitelists) {
  test(`the whitelist ${why}; the origins learn who asks`, () => {
    assert.deepEqual(haproxy(spec).get("frontend http"), [
      "bind :::8080 v4v6",
      "mode http",
      "tcp-request content set-dst-port int(80)",
      ...rules,
      ...client,
    ]);
  });
}

test("Cloudflare's addresses are a file of prefixes", () => {
  const lines = file({}, haproxyName, "CF_ips.lst").trimEnd().split("\n");
  assert.equal(lines.length, 22);
  assert.equal(lines[0], "173.245.48.0/20");
  assert.equal(lines.at(-1), "2c0f:f248::/32");
});

test("nginx asks the endpoints, and starts without any", () => {
  const upstream = (spec: object) => {
    const lines = nginx(spec);
    const from = lines.indexOf("upstream origin_servers {") + 1;
    return lines.slice(from, lines.indexOf("}", from));
  };
  assert.deepEqual(upstream({ endpoints: ["10.0.0.1:80", "b"] }), ["server 10.0.0.1:80;", "server b;"]);
  assert.deepEqual(upstream({}), ["server 127.0.0.1:1 down;"]);
});

for (const [size, free] of [
  ["10Gi", 512],
  ["1Gi", 102],
  ["1Mi", 1],
  ["100k", 1],
] as const) {
  test(`of a volume of ${size} the cache leaves ${free} MiB`, () => {
    assert.ok(
      nginx({ size }).includes(
        `proxy_cache_path /data/cache levels=1:2 keys_zone=mycache:400m max_size=100g min_free=${free}m inactive=30d use_temp_path=off;`,
      ),
    );
  });
}

const said = [
  [
    "what runs",
    [
      "user nginx;",
      "worker_processes 2;",
      "pid /var/run/nginx.pid;",
      "use epoll;",
      "multi_accept on;",
      "worker_connections 10240;",
    ],
  ],
  ["what is sent", ["sendfile on;", "tcp_nopush on;", "keepalive_timeout 65;", "gzip on;"]],
  [
    "health and metrics",
    [
      "listen 10253;",
      "location /health {",
      'return 200 "healthy\\n";',
      "vhost_traffic_status_display_format prometheus;",
    ],
  ],
  [
    "what is counted",
    [
      "vhost_traffic_status_zone;",
      "vhost_traffic_status_filter_by_host on;",
      "vhost_traffic_status_filter_by_set_key $shorten_url $host;",
    ],
  ],
  [
    "what is kept",
    [
      "proxy_cache mycache;",
      "proxy_cache_revalidate on;",
      "proxy_cache_lock on;",
      "proxy_cache_key $scheme$host$request_uri;",
      "proxy_cache_valid 200 1h;",
    ],
  ],
  ["what may be purged", ["proxy_cache_purge PURGE from all;", "cache_purge_response_type json;"]],
  [
    "what happens when origins fail",
    [
      "proxy_cache_use_stale error timeout updating http_500 http_502 http_503 http_504;",
      "proxy_cache_background_update on;",
      "proxy_connect_timeout 400ms;",
      "proxy_next_upstream error timeout http_500 http_502 http_503 http_504;",
    ],
  ],
  [
    "what clients and origins are told",
    [
      "add_header X-Cache-Status $upstream_cache_status;",
      "proxy_set_header Host $host;",
      "proxy_set_header X-Real-IP $remote_addr;",
      "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
      "proxy_hide_header Pragma;",
      "proxy_hide_header Expires;",
      "proxy_pass http://origin_servers;",
    ],
  ],
] as const;

for (const [what, directives] of said) {
  test(`nginx's configuration says ${what}`, () => {
    const lines = new Set(nginx({ endpoints: ["a"] }));
    for (const directive of directives) assert.ok(lines.has(directive), directive);
  });
}

test("addresses are counted by the first part of their path", () => {
  const rules = nginx({})
    .filter((line) => line.startsWith('"~'))
    .map((line) => /^"~([^"]+)" "?([^";]+)"?;$/.exec(line));
  const shorten = (uri: string) => {
    const found = rules.flatMap((rule) => {
      const match = rule === null ? null : new RegExp(rule[1] ?? "").exec(uri);
      return match === null ? [] : [(rule?.[2] ?? "").replace(/\$(\w+)/g, (_, group) => match.groups?.[group] ?? "")];
    });
    return found[0] ?? "/";
  };
  assert.deepEqual(["/", "/a", "/a/", "/a/b/c"].map(shorten), ["/", "/a", "/a/*", "/a/*"]);
});

const text = fc.oneof(fc.string(), fc.ipV4(), fc.domain());

test("property: whatever endpoints say, they are refused, or are words of their lines", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), (endpoints) => {
      let lines: readonly string[];
      try {
        lines = [...(haproxy({ endpoints }).get("backend cache") ?? []), ...nginx({ endpoints })];
      } catch (error) {
        assert.ok(error instanceof Refusal);
        return;
      }
      for (const [at, endpoint] of endpoints.entries()) {
        assert.ok(lines.includes(`server origin${at} ${endpoint} backup`) && lines.includes(`server ${endpoint};`));
      }
      const plain = [
        ...(haproxy({ endpoints: endpoints.map(() => "a") }).get("backend cache") ?? []),
        ...nginx({ endpoints: endpoints.map(() => "a") }),
      ];
      assert.equal(lines.length, plain.length);
    }),
    { numRuns: 200 },
  );
});
