/** Tables of specifications that the real API server must accept or refuse, by schema and rules. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isApiError } from "../../src/kube/errors.ts";
import type { App } from "../../src/sdk/app.ts";
import { kindOf, serve } from "../schema/install.ts";
import { testEngine } from "./engine.ts";

export interface RuleRow {
  readonly why: string;
  /** What is stored already; absent: the object is new. */
  readonly before?: object;
  readonly spec: object;
  /** The message of the refusal; absent: accepted. */
  readonly refused?: RegExp;
}

/** One test per row, in a namespace of its own; nothing but `before` is stored. */
export async function testRules(app: App, rows: readonly RuleRow[]): Promise<void> {
  const engine = await testEngine();
  const client = engine.client();
  const namespace = await engine.namespace("rules");
  const kind = kindOf(app);
  await serve(client, [app]);
  for (const [index, { why, before, spec, refused }] of rows.entries()) {
    test(`${app.kind} ${refused === undefined ? "accepts" : "refuses"} ${why}`, async () => {
      const name = `x${index}`;
      if (before !== undefined) await client.create(kind, kind(name, { namespace, spec: before }));
      const write = () =>
        before === undefined
          ? client.create(kind, kind(name, { namespace, spec }), { dryRun: true })
          : client.mergePatch(kind, name, namespace, { spec }, { dryRun: true });
      if (refused === undefined) await write();
      else
        await assert.rejects(write, (error) => {
          assert.ok(isApiError(error, "Invalid"), String(error));
          assert.match(error.message, refused);
          return true;
        });
    });
  }
}
