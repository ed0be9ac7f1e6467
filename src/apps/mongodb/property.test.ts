import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { renderApp } from "../../../test/support/render.ts";
import { mongodb } from "./index.ts";

const demo = (given: { readonly spec: object }) => renderApp(mongodb, given);

const userName = fc.stringMatching(/^[a-z][-a-z0-9]{0,6}[a-z0-9]$/).filter((name) => name !== "backup");
const spec = userName.chain((first) =>
  fc.record(
    {
      replicas: fc.nat(5),
      external: fc.boolean(),
      sharding: fc.boolean(),
      users: fc
        .dictionary(userName, fc.record({ password: fc.string() }), { maxKeys: 3, noNullPrototype: true })
        .map((users) => ({ ...users, [first]: {} })),
      reclaimPolicy: fc.constantFrom("Delete", "Retain"),
    },
    { requiredKeys: ["users"] },
  ),
);

test("property: a render depends on nothing but its input, and passwords are in Secrets alone", () => {
  fc.assert(
    fc.property(spec, (given) => {
      const databases = { d: { roles: { admin: Object.keys(given.users) } } };
      const wanted = { ...given, databases };
      const rendered = demo({ spec: wanted });
      assert.deepEqual(rendered.objects, demo({ spec: wanted }).objects);
      const plain = Object.fromEntries(Object.keys(given.users).map((name) => [name, { password: "plain" }]));
      const others = ({ objects }: ReturnType<typeof demo>) => objects.filter(({ kind }) => kind !== "Secret");
      assert.deepEqual(others(rendered), others(demo({ spec: { ...wanted, users: plain } })));
      for (const { metadata } of rendered.objects) assert.ok(metadata.name.startsWith("mongodb-demo"));
    }),
    { numRuns: 100 },
  );
});
