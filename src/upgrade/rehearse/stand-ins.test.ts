import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Secret, type SecretObject } from "../../contracts/core.ts";
import { standIns } from "./stand-ins.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const bytes = (value: string): number => Buffer.from(value, "base64").length;

function secret(data: Readonly<Record<string, string>>, more: Partial<SecretObject> = {}): SecretObject {
  return Secret("credentials", { namespace: "tenant-a", data, ...more });
}

describe("stand-ins of Secrets", () => {
  it("have the same keys and sizes, and say nothing of the values", () => {
    const values = fc.dictionary(fc.stringMatching(/^[a-z.]{1,12}$/), fc.uint8Array({ minLength: 12, maxLength: 200 }));
    fc.assert(
      fc.property(values, (given) => {
        const data = Object.fromEntries(
          Object.entries(given).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
        );
        const hidden = standIns().hide(secret(data), "credentials", "tenant-a");
        assert.deepEqual(Object.keys(hidden.data ?? {}), Object.keys(data));
        for (const [key, value] of Object.entries(data)) {
          assert.equal(bytes(hidden.data?.[key] ?? ""), bytes(value));
          assert.notEqual(hidden.data?.[key], value);
        }
      }),
    );
  });

  it("are shown as what they stand for, and by nobody else's", () => {
    const ours = standIns();
    const original = secret({ password: base64("correct horse battery"), user: base64("app") });
    const hidden = ours.hide(original, "credentials", "tenant-a");
    assert.deepEqual(ours.show(hidden), original);
    assert.deepEqual(standIns().show(hidden), hidden);
    ours.clear();
    assert.deepEqual(ours.show(hidden), hidden);
  });

  it("are shown as they are where somebody has changed them", () => {
    const ours = standIns();
    ours.hide(secret({ password: base64("correct horse battery") }), "credentials", "tenant-a");
    const changed = secret({ password: base64("made by an operator..") });
    assert.deepEqual(ours.show(changed), changed);
  });

  it("are equal for equal values, and differ from set to set", () => {
    const value = base64("correct horse battery");
    const ours = standIns();
    const one = ours.hide(secret({ a: value, b: value }), "credentials", "tenant-a").data;
    const other = standIns().hide(secret({ a: value }), "credentials", "tenant-a").data;
    assert.equal(one?.["a"], one?.["b"]);
    assert.notEqual(one?.["a"], other?.["a"]);
  });

  it("stay what they are when they are written again", () => {
    const ours = standIns();
    const hidden = ours.hide(secret({ password: base64("correct horse battery") }), "credentials", "tenant-a");
    assert.deepEqual(ours.hide(hidden, "credentials", "tenant-a"), hidden);
  });

  it("are JSON where the values are, so that the API server takes them", () => {
    for (const value of ['{"auths":{"registry.test":{"auth":"c2VjcmV0"}}}', '{"a":1}', "{}"]) {
      const hidden = standIns().hide(secret({ ".dockerconfigjson": base64(value) }), "credentials", "tenant-a");
      const text = Buffer.from(hidden.data?.[".dockerconfigjson"] ?? "", "base64").toString();
      assert.equal(text.length, value.length);
      assert.equal(typeof JSON.parse(text), "object");
      assert.ok(!text.includes("c2VjcmV0"));
    }
  });

  it("hide what kubectl repeats in an annotation, and texts that are not encoded", () => {
    const annotations = { "kubectl.kubernetes.io/last-applied-configuration": "correct horse battery", kept: "yes" };
    const given = {
      ...secret({}),
      metadata: { ...secret({}).metadata, annotations },
      stringData: { p: "correct horse battery" },
    };
    const hidden = standIns().hide(given, "credentials", "tenant-a");
    assert.deepEqual(hidden.metadata.annotations, { kept: "yes" });
    assert.ok(!JSON.stringify(hidden).includes("correct"));
    assert.equal(bytes(hidden.data?.["p"] ?? ""), 21);
  });

  it("leave nothing of Helm's own Secrets, which nobody reads", () => {
    const ours = standIns();
    const hidden = ours.hide(secret({ release: base64("H4sI".repeat(500)) }, { type: "helm.sh/release.v1" }), "r", "n");
    assert.deepEqual(hidden.data, { release: "" });
    assert.equal(ours.size, 0);
  });

  it("leave what everybody may know of a ServiceAccount's token", () => {
    const data = {
      "ca.crt": base64("certificate"),
      namespace: base64("tenant-a"),
      token: base64("correct horse battery"),
    };
    const { data: hidden } = standIns().hide(
      secret(data, { type: "kubernetes.io/service-account-token" }),
      "credentials",
      "tenant-a",
    );
    assert.equal(hidden?.["ca.crt"], data["ca.crt"]);
    assert.equal(hidden?.["namespace"], data.namespace);
    assert.notEqual(hidden?.["token"], data.token);
  });

  it("keep the nulls of a patch, which take keys away", () => {
    assert.deepEqual(standIns().hide({ data: { gone: null } }, "credentials", "tenant-a"), { data: { gone: null } });
  });
});
