import assert from "node:assert/strict";
import { test } from "node:test";
import { callerOf, frontProxyOf } from "./authentication.ts";

const data = {
  "requestheader-client-ca-file": "PEM",
  "requestheader-allowed-names": '["front-proxy-client"]',
  "requestheader-username-headers": '["X-Remote-User"]',
  "requestheader-uid-headers": '["X-Remote-Uid"]',
  "requestheader-group-headers": '["X-Remote-Group"]',
  "requestheader-extra-headers-prefix": '["X-Remote-Extra-"]',
};
const proxy = frontProxyOf(data);
const verified = { verified: true, commonName: "front-proxy-client" };

test("the cluster's settings are read; what cannot be understood is no permission", () => {
  assert.equal(proxy?.ca, "PEM");
  assert.deepEqual(proxy?.userHeaders, ["x-remote-user"]);
  assert.equal(frontProxyOf(undefined), undefined);
  assert.equal(frontProxyOf({ ...data, "requestheader-client-ca-file": " " }), undefined);
  assert.throws(() => frontProxyOf({ ...data, "requestheader-allowed-names": "front-proxy-client" }));
  assert.throws(() => frontProxyOf({ ...data, "requestheader-allowed-names": "[1]" }));
});

const cases = [
  {
    why: "UTF-8 that arrived as Latin-1",
    header: Buffer.from("jos\u00e9", "utf8").toString("latin1"),
    user: "jos\u00e9",
  },
  { why: "text that was decoded already", header: "\u65e5\u672c", user: "\u65e5\u672c" },
  { why: "Latin-1 that is no UTF-8", header: "jos\u00e9", user: "jos\u00e9" },
];
for (const { why, header, user } of cases) {
  test(`user names: ${why}`, () => {
    assert.equal(callerOf(proxy, verified, ["X-Remote-User", header])?.user, user);
  });
}

test("an empty list of names allows every certificate of the authority, and no other peer", () => {
  const open = frontProxyOf({ ...data, "requestheader-allowed-names": "[]" });
  assert.equal(callerOf(open, { verified: true, commonName: undefined }, ["x-remote-user", "a"])?.user, "a");
  assert.equal(
    callerOf(open, { verified: false, commonName: "front-proxy-client" }, ["x-remote-user", "a"]),
    undefined,
  );
});
