/** R1: our aggregated API holds up no namespace, whether it answers or not. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { APIService, ConfigMap, Namespace, Secret } from "../../src/kube/core-kinds.ts";
import { valueAt } from "../../src/kube/json.ts";
import { systemWorld } from "../../src/kube/world.ts";
import { runRegistrationGuard } from "../../src/server/guard.ts";
import { apiServiceName } from "../../src/server/registration.ts";
import { shownSecret, TenantNamespace, TenantSecret, unique } from "../server/fixtures.ts";
import { eventually } from "../support/eventually.ts";
import { serverEngine } from "../support/server-engine.ts";

const engine = await serverEngine();
const client = engine.client();
const stop = new AbortController();
after(() => stop.abort());
// As whoever leads the controllers runs it, with its own figures.
const errors: unknown[] = [];
let removals = 0;
void runRegistrationGuard(
  {
    client: engine.client(),
    world: systemWorld,
    onRemoved: () => (removals += 1),
    onError: (error) => errors.push(error),
  },
  stop.signal,
);

interface Drained {
  readonly milliseconds: number;
  /** Types of the deletion's conditions that were ever True. */
  readonly failures: readonly string[];
}

async function drain(full: boolean): Promise<Drained> {
  const name = unique("plain-");
  await client.create(Namespace, Namespace(name));
  if (full) {
    await client.create(ConfigMap, ConfigMap("c", { namespace: name, data: { a: "1" } }));
    await client.create(Secret, shownSecret("shown", name));
    await client.create(Secret, Secret("hidden", { namespace: name, stringData: { a: "1" } }));
  }
  const started = performance.now();
  await client.delete(Namespace, name);
  const failures = new Set<string>();
  await eventually(
    `namespace ${name} is gone`,
    async () => {
      const live = await client.get(Namespace, name);
      const conditions = valueAt(live, "status", "conditions");
      for (const condition of Array.isArray(conditions) ? conditions : []) {
        const type = String(valueAt(condition, "type"));
        if (valueAt(condition, "status") === "True" && type.endsWith("Failure")) failures.add(type);
      }
      return live === undefined;
    },
    90,
  );
  return { milliseconds: performance.now() - started, failures: [...failures] };
}

test("R1 with the server up a namespace goes at once, and nothing of ours is touched twice", async () => {
  const server = await engine.serve();
  await server.registered;
  await client.list(TenantSecret);
  for (const full of [false, true]) {
    const { milliseconds, failures } = await drain(full);
    assert.deepEqual(failures, []);
    assert.ok(milliseconds < 15_000, `${milliseconds} ms`);
  }
  assert.equal(removals, 0, "a server that answers keeps its registration");

  await test("R1 with the server stopped a namespace goes, and no content ever fails to be deleted", async () => {
    await server.kill();
    const [empty, full] = await Promise.all([drain(false), drain(true)]);
    for (const { milliseconds, failures } of [empty, full]) {
      assert.ok(!failures.includes("NamespaceDeletionContentFailure"), failures.join(", "));
      assert.ok(milliseconds < 60_000, `${milliseconds} ms`);
    }
    await eventually(
      "the registration is taken away",
      async () => (await client.get(APIService, apiServiceName)) === undefined,
    );
    assert.equal(removals, 1);
    const again = await drain(true);
    assert.deepEqual(again.failures, [], "from then on nothing is even reported");
    assert.ok(again.milliseconds < 15_000, `${again.milliseconds} ms`);
  });

  await test("R1 the server comes back by itself, and namespaces go as before", async () => {
    const back = await engine.serve();
    await back.registered;
    await eventually("it answers", async () => (await client.list(TenantNamespace)).items.length > 0);
    const { milliseconds, failures } = await drain(true);
    assert.deepEqual(failures, []);
    assert.ok(milliseconds < 15_000, `${milliseconds} ms`);
    assert.deepEqual(errors, []);
  });
});

test("R1 a registration that is deleted while the server runs comes back", async () => {
  await client.delete(APIService, apiServiceName);
  await eventually("it is registered again", async () => client.get(APIService, apiServiceName));
  await eventually("it answers", async () => (await client.list(TenantNamespace)).items.length > 0);
});
