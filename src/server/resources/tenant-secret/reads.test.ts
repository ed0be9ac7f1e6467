import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client, WatchEvent } from "../../../kube/client.ts";
import { Secret } from "../../../kube/core-kinds.ts";
import { ApiError } from "../../../kube/errors.ts";
import type { KubeObject } from "../../../kube/object.ts";
import { readOptions } from "../../request-options.ts";
import { watchSecrets } from "./reads.ts";

const secret = Secret("s", { namespace: "n", labels: { "internal.cozystack.io/tenantresource": "true" } });

/** A client whose watch gives `events`, then ends, or fails. */
function watching(events: readonly { readonly type: "added"; readonly object: KubeObject }[], end?: Error) {
  const asked: unknown[] = [];
  const client: Pick<Client, "raw" | "watch"> = {
    raw: async () => ({ metadata: { resourceVersion: "42" }, items: [] }),
    async *watch(_, options) {
      asked.push(options);
      for (const event of events) yield retyped(event);
      if (end !== undefined) throw end;
    },
  };
  return { client, asked };
}

/** The fake's objects are what the kind says: the overload states it. */
function retyped<T extends KubeObject>(event: { readonly type: "added"; readonly object: KubeObject }): WatchEvent<T>;
function retyped(event: object): object {
  return event;
}

const request = {
  caller: { user: "ann", groups: [], extra: {} },
  namespace: "n",
  signal: new AbortController().signal,
  warn: () => undefined,
};

const ends = [
  { why: "the watch behind it ends", end: undefined, last: [] },
  { why: "its connection breaks", end: new ApiError("Network", "reset"), last: [] },
  { why: "its version is gone", end: new ApiError("Expired", "too old", { status: 410 }), last: [410] },
] as const;
for (const { why, end, last } of ends) {
  test(`a watch ends, and never sits on a dead stream: ${why}`, async () => {
    const { client } = watching([{ type: "added", object: secret }], end);
    const seen: unknown[] = [];
    for await (const event of await watchSecrets(client, request, readOptions(new URLSearchParams("watch=1")))) {
      seen.push(event.type === "ERROR" ? event.error.status : event.type);
    }
    assert.deepEqual(seen, ["ADDED", ...last]);
  });
}

test("the caller's selector is added to the marker, and a watch without objects begins now", async () => {
  const { client, asked } = watching([]);
  const query = "watch=1&labelSelector=a%3Db&sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
  for await (const _ of await watchSecrets(client, request, readOptions(new URLSearchParams(query)))) assert.fail();
  const [options] = asked;
  assert.ok(
    typeof options === "object" && options !== null && "labelSelector" in options && "resourceVersion" in options,
  );
  assert.equal(options.labelSelector, "internal.cozystack.io/tenantresource=true,a=b");
  assert.equal(options.resourceVersion, "42");
});
