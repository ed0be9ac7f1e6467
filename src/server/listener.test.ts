import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { request as request1 } from "node:https";
import { after, test } from "node:test";
import { connect as connectTls } from "node:tls";
import { clientCertificate } from "../../test/server/client-certificate.ts";
import { eventually } from "../../test/support/eventually.ts";
import { json } from "./answer.ts";
import type { FrontProxy } from "./authentication.ts";
import { issueAuthority, issueServing, type KeyedCertificate } from "./certificates/issue.ts";
import { listen, type Route } from "./listener.ts";

const now = Date.now();
const [ours, proxyAuthority, otherAuthority] = await Promise.all([
  issueAuthority(now),
  issueAuthority(now),
  issueAuthority(now),
]);
const serving = await issueServing(ours, ["localhost", "127.0.0.1"], now);
const [proxy, impostor, foreign] = await Promise.all([
  clientCertificate(proxyAuthority, "front-proxy-client"),
  clientCertificate(proxyAuthority, "somebody"),
  clientCertificate(otherAuthority, "front-proxy-client"),
]);

const trusted = (authority: KeyedCertificate): FrontProxy => ({
  ca: authority.certificate,
  allowedNames: ["front-proxy-client"],
  userHeaders: ["x-remote-user"],
  uidHeaders: ["x-remote-uid"],
  groupHeaders: ["x-remote-group"],
  extraPrefixes: ["x-remote-extra-"],
});

let streamAborted = false;
const routes: readonly Route[] = [
  { path: "/who", for: "users", handle: (_, caller) => json(caller) },
  { path: "/open", for: "anyone", handle: async (incoming) => json({ length: (await incoming.body()).length }) },
  {
    path: "/stream",
    for: "anyone",
    handle: ({ signal }) => {
      signal.addEventListener("abort", () => {
        streamAborted = true;
      });
      const lines = (async function* () {
        yield "first\n";
        await once(signal, "abort");
      })();
      return { is: "stream", contentType: "text/plain", lines };
    },
  },
];
const errors: unknown[] = [];
const listener = await listen({ routes, host: "127.0.0.1", port: 0, serving, onError: (error) => errors.push(error) });
listener.setFrontProxy(trusted(proxyAuthority));
after(() => listener.close());

interface Got {
  readonly status: number;
  readonly body: string;
}

type Headers = Readonly<Record<string, string | string[]>>;

function get1(
  path: string,
  certificate: KeyedCertificate | undefined,
  headers: Headers = {},
  body?: string,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const call = request1({
      host: "127.0.0.1",
      port: listener.port,
      path,
      method: body === undefined ? "GET" : "POST",
      agent: false,
      ca: ours.certificate,
      headers,
      ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
    });
    call.on("response", async (answer) => {
      let text = "";
      for await (const chunk of answer) text += String(chunk);
      resolve({ status: answer.statusCode ?? 0, body: text });
    });
    call.on("error", reject);
    call.end(body);
  });
}

async function get2(path: string, certificate: KeyedCertificate | undefined, headers: Headers = {}): Promise<Got> {
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, {
    ca: ours.certificate,
    ...(certificate === undefined ? {} : { cert: certificate.certificate, key: certificate.key }),
  });
  try {
    const stream = session.request({ ":path": path, ...headers });
    const [answer] = await once(stream, "response");
    let text = "";
    for await (const chunk of stream) text += String(chunk);
    return { status: Number(answer[":status"]), body: text };
  } finally {
    session.destroy();
  }
}

const user = { "x-remote-user": "ann" };

for (const [version, get] of [
  ["HTTP/1.1", get1],
  ["HTTP/2", get2],
] as const) {
  test(`${version}: the user whom the front proxy names, with every group as it is`, async () => {
    const headers = {
      ...user,
      "x-remote-uid": "7",
      "x-remote-group": ["dev, system:masters", "ops"],
      "x-remote-extra-scopes%2fx": ["a", "b"],
    };
    const { status, body } = await get("/who", proxy, headers);
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(body), {
      user: "ann",
      uid: "7",
      groups: ["dev, system:masters", "ops"],
      extra: { "scopes/x": ["a", "b"] },
    });
  });

  const refused = [
    { why: "no certificate", certificate: undefined, headers: user },
    { why: "a certificate of another authority", certificate: foreign, headers: user },
    { why: "another name of the same authority", certificate: impostor, headers: user },
    { why: "nobody is named", certificate: proxy, headers: {} },
  ];
  for (const { why, certificate, headers } of refused) {
    test(`${version}: nobody is believed: ${why}`, async () => {
      const { status, body } = await get("/who", certificate, { ...headers, "x-remote-group": "system:masters" });
      assert.equal(status, 401);
      assert.equal(JSON.parse(body).kind, "Status");
    });
  }
}

test("a route for anyone needs no certificate; what is not served is not found", async () => {
  assert.deepEqual(await get2("/open", undefined), { status: 200, body: '{"length":0}' });
  assert.equal((await get2("/other", proxy, user)).status, 404);
});

test("a body above the limit is refused", async () => {
  const { status } = await get1("/open", undefined, {}, "x".repeat(3 * 1024 * 1024 + 1));
  assert.equal(status, 413);
  assert.equal((await get1("/open", undefined, {}, "x".repeat(1024))).status, 200);
});

test("a stream ends when its client is gone", async () => {
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, { ca: ours.certificate });
  const stream = session.request({ ":path": "/stream" });
  const [chunk] = await once(stream, "data");
  assert.equal(String(chunk), "first\n");
  session.destroy();
  await eventually("the handler's signal is aborted", async () => streamAborted);
});

test("another front proxy authority counts from the next connection on, without a restart", async () => {
  const session = connectHttp2(`https://127.0.0.1:${listener.port}`, {
    ca: ours.certificate,
    cert: proxy.certificate,
    key: proxy.key,
  });
  session.on("error", () => undefined);
  await once(session, "connect");
  listener.setFrontProxy(trusted(otherAuthority));
  await once(session, "close");
  assert.equal((await get2("/who", proxy, user)).status, 401);
  assert.equal((await get2("/who", foreign, user)).status, 200);
  listener.setFrontProxy(undefined);
  assert.equal((await get2("/who", foreign, user)).status, 401, "without one nobody is believed");
});

test("another serving certificate is served without a restart", async () => {
  const fingerprint = async (): Promise<string> => {
    const socket = connectTls({ host: "127.0.0.1", port: listener.port, ca: ours.certificate, ALPNProtocols: ["h2"] });
    await once(socket, "secureConnect");
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };
  const before = await fingerprint();
  const next = await issueServing(ours, ["localhost", "127.0.0.1"], now);
  listener.setServing(next);
  assert.notEqual(await fingerprint(), before);
  assert.deepEqual(errors, []);
});
