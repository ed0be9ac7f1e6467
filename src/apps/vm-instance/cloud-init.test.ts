import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { sshKeysDocument, yamlText } from "./cloud-init.ts";
import { vmInstance } from "./index.ts";

const secret = (spec: object, name: string) => {
  const given = { instanceType: "", resources: { cpu: 1, sockets: 1, memory: "1Gi" }, instanceProfile: "", ...spec };
  return valueAt(renderApp(vmInstance, { spec: given }).object("Secret", `vm-instance-demo-${name}`), "stringData");
};

test("keys are a document for cloud-init, and a Secret for KubeVirt", () => {
  const sshKeys = ["ssh-ed25519 AAAA me@host", "ssh-rsa BBBB"];
  assert.deepEqual(secret({ sshKeys }, "ssh-keys"), { key0: sshKeys[0], key1: sshKeys[1] });
  const userdata = '#cloud-config\nssh_authorized_keys:\n  - "ssh-ed25519 AAAA me@host"\n  - "ssh-rsa BBBB"\n';
  assert.deepEqual(secret({ sshKeys }, "cloud-init"), { userdata });
});

test("a document of the user's own is handed on to the letter, and then it alone decides", () => {
  const cloudInit = "#!/bin/sh\necho '{{ x }}' \"$y\"\n";
  assert.deepEqual(secret({ cloudInit, sshKeys: ["ssh-rsa BBBB"] }, "cloud-init"), { userdata: cloudInit });
  assert.deepEqual(secret({ cloudInit, sshKeys: ["ssh-rsa BBBB"] }, "ssh-keys"), { key0: "ssh-rsa BBBB" });
});

test("with neither there is no Secret", () => {
  assert.equal(secret({}, "ssh-keys"), undefined);
  assert.equal(secret({}, "cloud-init"), undefined);
});

const texts = [
  { why: "a quote", text: 'a" , - "b', yaml: '"a\\" , - \\"b"' },
  { why: "a backslash", text: "a\\n", yaml: '"a\\\\n"' },
  { why: "a line break", text: "a\nb", yaml: '"a\\u000ab"' },
  { why: "a line break of YAML 1.1", text: "a\u2028b\u0085c", yaml: '"a\\u2028b\\u0085c"' },
  { why: "half a character", text: "a\ud800b", yaml: '"a\\ud800b"' },
  { why: "an umlaut and an emoji stay as they are", text: "jürgen 🐧", yaml: '"jürgen 🐧"' },
] as const;

for (const { why, text, yaml } of texts) {
  test(`a key with ${why} stays one text on one line`, () => assert.equal(yamlText(text), yaml));
}

test("the end of a line is not part of a key", () => {
  const sshKeys = ["ssh-rsa AAAA\n", "ssh-rsa BBBB\r\n"];
  const userdata = '#cloud-config\nssh_authorized_keys:\n  - "ssh-rsa AAAA"\n  - "ssh-rsa BBBB"\n';
  assert.deepEqual(secret({ sshKeys }, "cloud-init"), { userdata });
});

test("property: the document holds exactly the keys, whatever is in them", () => {
  const key = fc.string({ unit: "binary" }).map((text) => text.replace(/\p{Cs}|[\r\n]+$/gu, ""));
  fc.assert(
    fc.property(fc.array(key, { minLength: 1, maxLength: 5 }), (keys) => {
      const text = sshKeysDocument(keys);
      assert.deepEqual(parse(text), { ssh_authorized_keys: keys });
      assert.equal(text.split("\n").length, keys.length + 3);
    }),
    { numRuns: 500 },
  );
});
