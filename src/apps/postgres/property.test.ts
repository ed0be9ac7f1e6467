import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { postgres } from "./index.ts";

const keys = { s3AccessKey: "AK", s3SecretKey: "SK" };

const hostile = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("'; DROP", "$(id)", "{{ .x }}", "a\nb: c", '"\\', "\u0024{HOME}", "`", "-c"),
);
const userName = fc
  .stringMatching(/^[A-Za-z][-._a-zA-Z0-9]{0,20}$/)
  .filter((name) => !/^(pg_|postgres$|public$|none$)/.test(name));

/** Such as occurs nowhere else. */
const password = fc.oneof(
  fc.constant(""),
  hostile.map((text) => `${text.replaceAll("\0", "")} is the word`),
);

test("property: names are Kubernetes names, and any text is kept as it is in the same objects", () => {
  const spec = fc.record({
    users: fc.dictionary(userName, fc.record({ password }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    destinationPath: hostile,
    oldName: hostile.filter((text) => text !== ""),
    restore: fc.boolean(),
    name: fc.stringMatching(/^[a-z][a-z0-9]{0,40}$/),
  });
  fc.assert(
    fc.property(spec, ({ users, destinationPath, oldName, restore, name }) => {
      const backup = { enabled: true, ...keys, destinationPath };
      const given = { name, spec: { users, backup, bootstrap: { enabled: restore, oldName } } };
      const rendered = renderApp(postgres, given);
      assert.deepEqual(rendered.objects, renderApp(postgres, given).objects, "the same input gives the same objects");
      for (const { kind, metadata } of rendered.objects) {
        assert.match(metadata.name, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
        assert.ok(metadata.name.length <= (kind === "Job" ? 63 : 253), metadata.name);
        assert.ok(metadata.name.startsWith(`postgres-${name}`));
      }
      const secret = rendered.object("Secret", `postgres-${name}-credentials`);
      for (const [user, { password }] of Object.entries(users)) {
        const kept = valueAt(secret, "stringData", user);
        assert.ok(password === "" ? /^[A-Za-z0-9]{16}$/.test(String(kept)) : kept === password);
        const others = rendered.objects.filter((object) => object.kind !== "Secret");
        assert.ok(!JSON.stringify(others).includes(JSON.stringify(kept).slice(1, -1)), "no value outside Secrets");
      }
    }),
    { numRuns: 60 },
  );
});
