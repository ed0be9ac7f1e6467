/** Specifications that the real API server must accept or refuse, by schema and rules. */
import assert from "node:assert/strict";
import { isApiError } from "../../src/kube/errors.ts";
import type { App } from "../../src/sdk/app.ts";
import { kindOf, serve } from "../schema/install.ts";
import { testEngine } from "./engine.ts";

/** One line of a table. */
export interface RuleRow {
  readonly why: string;
  /** What is stored already; absent: the object is new. */
  readonly before?: object;
  readonly spec: object;
  /** The message of the refusal; absent: accepted. */
  readonly refused?: RegExp;
}

/** Tries rows on the API server, in a namespace of its own. Nothing but `before` is stored. */
export async function ruleChecker(app: App): Promise<(row: RuleRow) => Promise<void>> {
  const engine = await testEngine();
  const client = engine.client();
  const namespace = await engine.namespace("rules");
  const kind = kindOf(app);
  await serve(client, [app]);
  let count = 0;
  return async ({ before, spec, refused }) => {
    count += 1;
    // Modules have one name each: what a row has stored makes room for the next.
    const name = app.module ? app.kind.toLowerCase() : `x${count}`;
    if (app.module) await client.delete(kind, name, namespace);
    if (before !== undefined) await client.create(kind, kind(name, { namespace, spec: before }));
    const write = () =>
      before === undefined
        ? client.create(kind, kind(name, { namespace, spec }), { dryRun: true })
        : client.mergePatch(kind, name, namespace, { spec }, { dryRun: true });
    if (refused === undefined) {
      await write();
      return;
    }
    await assert.rejects(write, (error) => {
      assert.ok(isApiError(error, "Invalid"), String(error));
      assert.match(error.message, refused);
      return true;
    });
  };
}
