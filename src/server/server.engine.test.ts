/** The aggregated API on a real API server, through its aggregator. Suites share one engine of their own. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { budgetsSuite } from "../../test/server/budgets.ts";
import { externalSuite } from "../../test/server/external.ts";
import { goInformerSuite } from "../../test/server/go-informer.ts";
import { informersSuite } from "../../test/server/informers.ts";
import { kubectlSuite } from "../../test/server/kubectl.ts";
import { modulesSuite } from "../../test/server/modules.ts";
import { namespacesSuite } from "../../test/server/namespaces.ts";
import { objectStoreNamesSuite } from "../../test/server/object-store-names.ts";
import { openApiSuite } from "../../test/server/openapi.ts";
import { optionsSuite } from "../../test/server/options.ts";
import { plansSuite } from "../../test/server/plans.ts";
import { secretAdmissionSuite } from "../../test/server/secret-admission.ts";
import { secretsSuite } from "../../test/server/secrets.ts";
import { type ServerEngine, serverEngine } from "../../test/support/server-engine.ts";
import { openStores } from "../kube/stores.ts";

const running = await serverEngine();
const engine = (): ServerEngine => running;
const stop = new AbortController();
const stores = openStores({ client: running.serverClient(), signal: stop.signal });
after(() => stop.abort());
const server = await running.serve({ stores });
await server.registered;

openApiSuite(engine);
optionsSuite(engine, () => stores.running());
kubectlSuite(engine, "v35");
kubectlSuite(engine, "v34");
secretsSuite(engine);
secretAdmissionSuite(engine);
modulesSuite(engine);
externalSuite(engine);
plansSuite(engine);
budgetsSuite(engine);
objectStoreNamesSuite(engine);
informersSuite(engine);
goInformerSuite(engine);

test("no Secret of tenants stays in the server's memory", () => {
  const secrets = stores.running().filter(({ kind }) => kind.group === "" && kind.kind === "Secret");
  const names = secrets.flatMap((store) =>
    store.list().map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
  );
  assert.deepEqual(names, ["cozy-system/cozystack-api-tls"]);
});

// Last: it starts a second replica, which takes over.
namespacesSuite(engine);
