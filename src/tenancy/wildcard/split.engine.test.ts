/** The ingress class need not be a namespace's name: certificates are the root tenant's then. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { eventually } from "../../../test/support/eventually.ts";
import { platformEngine } from "../../../test/support/platform.ts";
import { testContext } from "../../../test/support/synthetic-app.ts";
import { Namespace, Secret } from "../../contracts/core.ts";
import { openStores } from "../../kube/stores.ts";
import { systemWorld } from "../../kube/world.ts";
import { fixedContext } from "../../reconcile/context.ts";
import { certificate } from "../projection/fixture.ts";
import { runWildcardCopies } from "./controller.ts";

const stop = new AbortController();
// Registered before the engine's own, which closes the clients.
after(async () => {
  stop.abort();
  await admin.delete(Secret, name, "tenant-root");
});
const engine = await platformEngine();
const admin = engine.client("person");
const child = await engine.namespace("tenant-split");
const name = `split-${child.slice(-8)}`;

test("where no namespace has the ingress class's name, the source is the root tenant's", async () => {
  const label = (key: string) => `namespace.cozystack.io/${key}`;
  const labels = { [label("ingress")]: child, [label("host")]: "split.example.org" };
  await admin.mergePatch(Namespace, child, undefined, { metadata: { labels } });
  const made = await certificate("split", "*.example.org");
  const data = {
    "tls.crt": Buffer.from(made.certificate, "utf8").toString("base64"),
    "tls.key": Buffer.from(made.key, "utf8").toString("base64"),
  };
  await admin.create(Secret, Secret(name, { namespace: "tenant-root", type: "kubernetes.io/tls", data }));
  const cluster = { ...testContext.cluster, "wildcard-secret-name": name, "expose-ingress": "an-ingress-class" };
  const client = engine.client("cozystack");
  const contexts = fixedContext({ ...testContext, cluster });
  const stores = openStores({ client, signal: stop.signal });
  const scope = (namespace: string) => namespace === child;
  runWildcardCopies({ client, stores, world: systemWorld, contexts, scope }, stop.signal).catch(() => undefined);
  const copy = await eventually("the copy is there", () => admin.get(Secret, name, child));
  assert.deepEqual(copy.data, data);
});
