import assert from "node:assert/strict";
import { after, test } from "node:test";
import { platformEngine } from "../../../test/support/platform.ts";
import { Event, Secret, type SecretObject } from "../../contracts/core.ts";
import { TenantProjection } from "../../contracts/internal-cozystack-io.ts";
import { openStores } from "../../kube/stores.ts";
import { systemWorld } from "../../kube/world.ts";
import { runProjections } from "./controller.ts";
import { certificate, projection, secret } from "./fixture.ts";

const engine = await platformEngine();
const client = engine.client("cozystack-projection-test");
const namespace = await engine.namespace("tenant-projection");
const stop = new AbortController();
const stores = openStores({ client, signal: stop.signal });
const errors: unknown[] = [];
const running = runProjections(
  { client, stores, world: systemWorld, onError: (_, error) => errors.push(error) },
  stop.signal,
);
after(async () => {
  stop.abort();
  await running.catch(() => undefined);
});

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(Date.now() < deadline, what);
    await systemWorld.sleep(20);
  }
}
const here = <T extends SecretObject>(object: T): T => ({ ...object, metadata: { ...object.metadata, namespace } });
const output = () => client.get(Secret, "postgres-db.tenant-ca", namespace);
const shown = async () => Buffer.from((await output())?.data?.["ca.crt"] ?? "", "base64").toString("utf8");
const ready = (reason: string) =>
  eventually(`the projection is ${reason}`, async () => {
    const live = await client.get(TenantProjection, "postgres-db-ca", namespace);
    return live?.status?.conditions?.find((each) => each.type === "Ready" && each.reason === reason);
  });

const first = await certificate("first");
const second = await certificate("second");
const sourceOf = (pem: string) => here(secret("postgres-db-ca", { "ca.crt": pem, "ca.key": first.key }));

test("a certificate is shown as soon as its Secret exists, follows a rotation, and goes with the projection", async () => {
  const { metadata, ...rest } = projection();
  await client.create(TenantProjection, {
    ...rest,
    metadata: { name: metadata.name, namespace, ...(metadata.labels === undefined ? {} : { labels: metadata.labels }) },
  });
  await client.create(Secret, sourceOf(first.certificate));
  await eventually("it is published", output);
  assert.equal((await shown()).trim(), first.certificate.trim());
  await ready("Projected");

  await client.mergePatch(Secret, "postgres-db-ca", namespace, { data: sourceOf(second.certificate).data ?? {} });
  await eventually("it is rotated", async () =>
    (await shown()).startsWith(second.certificate.trim()) ? true : undefined,
  );
  assert.ok((await shown()).includes(first.certificate.trim()), "the authority before it stays trusted for a while");

  await client.mergePatch(Secret, "postgres-db.tenant-ca", namespace, { data: { stray: "eA==" } });
  await eventually("drift is put right", async () =>
    Object.keys((await output())?.data ?? {}).length === 1 ? true : undefined,
  );
});

test("a private key in the source is refused with an event, and what was published stays as it was", async () => {
  await client.mergePatch(Secret, "postgres-db-ca", namespace, {
    data: sourceOf(second.certificate + second.key).data ?? {},
  });
  const condition = await ready("SourceRejected");
  assert.ok(!condition.message.includes("BEGIN"));
  const told = await eventually("the event", async () =>
    (await client.list(Event, { namespace })).items.find(({ reason }) => reason === "CACertPrivateKeyRefused"),
  );
  assert.equal(told.involvedObject.name, "postgres-db-ca");
  assert.equal(told.message?.includes("BEGIN"), false);
  assert.ok((await shown()).startsWith(second.certificate.trim()));
});

test("a rival is reported on both, and its leaving settles the contest", async () => {
  await client.mergePatch(Secret, "postgres-db-ca", namespace, { data: sourceOf(first.certificate).data ?? {} });
  await ready("Projected");
  const { metadata, ...rest } = projection("rival");
  await client.create(TenantProjection, {
    ...rest,
    metadata: { name: "rival", namespace, ...(metadata.labels === undefined ? {} : { labels: metadata.labels }) },
  });
  await ready("ReleaseContested");
  await client.delete(TenantProjection, "rival", namespace);
  await ready("Projected");
});

test("at rest nothing is written", async () => {
  await systemWorld.sleep(300);
  const versions = async () => [
    (await client.getMetadata(TenantProjection, "postgres-db-ca", namespace))?.metadata.resourceVersion,
    (await output())?.metadata.resourceVersion,
  ];
  const before = await versions();
  await client.mergePatch(Secret, "postgres-db-ca", namespace, { metadata: { labels: { touched: "1" } } });
  await systemWorld.sleep(300);
  assert.deepEqual(await versions(), before);
  assert.deepEqual(errors, []);
});

test("without its projection the Secret is collected", async () => {
  await client.delete(TenantProjection, "postgres-db-ca", namespace);
  await eventually("it is gone", async () => ((await output()) === undefined ? true : undefined));
});
