/** Listing everything on an engine on which other tests define kinds and take them away. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { everything, listableKinds } from "./everything.ts";
import { json, scriptedServer } from "./scripted-server.ts";

const resource = (kind: string) => ({
  name: `${kind.toLowerCase()}s`,
  kind,
  namespaced: true,
  verbs: ["get", "list", "watch"],
});
const list = (apiVersion: string, kind: string, name: string) => ({
  apiVersion,
  kind: `${kind}List`,
  metadata: { resourceVersion: "1" },
  items: [{ metadata: { name, namespace: "tenant-x" } }],
});
const groups = ["here.example.org", "going.example.org"];
const found: Readonly<Record<string, unknown>> = {
  "/apis": { groups: groups.map((name) => ({ name, preferredVersion: { groupVersion: `${name}/v1` } })) },
  "/api/v1": { resources: [resource("ConfigMap")] },
  "/apis/here.example.org/v1": { resources: [resource("Here")] },
  "/apis/going.example.org/v1": { resources: [resource("Going")] },
  "/api/v1/configmaps": list("v1", "ConfigMap", "a"),
  "/apis/here.example.org/v1/heres": list("here.example.org/v1", "Here", "b"),
};

/** A server that answers what is found, and one path with another status. */
async function serverWith(path: string, status: number): Promise<Client> {
  const { url } = await scriptedServer(({ url: asked }, answer) => {
    const isIt = asked.pathname === path;
    const body = isIt ? undefined : found[asked.pathname];
    if (body !== undefined) return json(answer, 200, body);
    json(answer, isIt ? status : 404, {
      kind: "Status",
      status: "Failure",
      code: isIt ? status : 404,
      message: "told to",
    });
  });
  const client = connect({ server: url, fieldManager: "everything-test" });
  after(() => client.close());
  return client;
}

const all = async (client: Client): Promise<readonly string[]> => {
  const objects = await everything(client, await listableKinds(client), "tenant-x");
  return objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
};

for (const { why, path } of [
  { why: "before its group is asked", path: "/apis/going.example.org/v1" },
  { why: "before it is listed", path: "/apis/going.example.org/v1/goings" },
]) {
  test(`a kind whose definition vanishes ${why} is absent`, async () => {
    assert.deepEqual(await all(await serverWith(path, 404)), ["ConfigMap a", "Here b"]);
  });

  test(`any other failure ${why} fails`, async () => {
    const client = await serverWith(path, 403);
    await assert.rejects(() => all(client), { code: "Forbidden" });
  });
}
