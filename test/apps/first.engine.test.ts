/** The first applications with everything around them: their monitors, and what a certificate's issuer may leave behind. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { WorkloadMonitor } from "../../src/contracts/cozystack-io.ts";
import { Ingress } from "../../src/contracts/networking-k8s-io.ts";
import { kindOf } from "../schema/install.ts";
import { appOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";

const cloud = await startCloud();
const { admin } = cloud;
const namespace = await cloud.tenant("first");

const orders: readonly {
  readonly kind: string;
  readonly name: string;
  readonly spec: object;
  /** Names of its monitors. */
  readonly monitors: readonly string[];
  readonly proves: string;
}[] = [
  { kind: "Postgres", name: "db", spec: { replicas: 1 }, monitors: ["postgres-db"], proves: "features 181 and 188" },
  {
    kind: "Redis",
    name: "cache",
    spec: { replicas: 1 },
    monitors: ["redis-cache-redis", "redis-cache-sentinel"],
    proves: "feature 192",
  },
  { kind: "VMDisk", name: "web", spec: { storage: "1Gi" }, monitors: ["vm-disk-web"], proves: "feature 190" },
  {
    kind: "VMInstance",
    name: "web",
    spec: { disks: [{ name: "web" }] },
    monitors: ["vm-instance-web"],
    proves: "features 190, 191 and 210",
  },
];

for (const { kind, name, spec, monitors, proves } of orders) {
  test(`a ${kind} has a monitor from the beginning, which is operational once it is healthy (${proves})`, async () => {
    const app = appOf(kind);
    await cloud.order(app, name, namespace, spec);
    const own = async () => {
      const labelSelector = `apps.cozystack.io/application.kind=${kind},apps.cozystack.io/application.name=${name}`;
      return (await admin.list(WorkloadMonitor, { namespace, labelSelector })).items;
    };
    await eventually("it has a monitor", async () => (await own()).length === monitors.length);
    await cloud.ready(app, name, namespace);
    const found = await eventually("its monitors are operational", async () => {
      const all = await own();
      return all.every(({ status }) => status?.operational === true) ? all : undefined;
    });
    assert.deepEqual(found.map(({ metadata }) => metadata.name).toSorted(), monitors);
  });
}

test("a Bucket's deletion takes the solvers of its certificate's challenges, and of nobody else's (feature 123)", async () => {
  const app = appOf("Bucket");
  await cloud.order(app, "files", namespace);
  await cloud.ready(app, "files", namespace);
  const page = await eventually("its page has an Ingress", () => admin.get(Ingress, "bucket-files-ui", namespace));
  const host = page.spec?.rules?.[0]?.host ?? "";
  assert.notEqual(host, "");
  const solver = (name: string, solved: string) =>
    Ingress(name, {
      namespace,
      labels: { "acme.cert-manager.io/http01-solver": "true" },
      spec: {
        rules: [
          {
            host: solved,
            http: {
              paths: [
                {
                  path: "/.well-known/acme-challenge/x",
                  pathType: "Exact",
                  backend: { service: { name: "solver", port: { number: 8089 } } },
                },
              ],
            },
          },
        ],
      },
    });
  await admin.create(Ingress, solver("cm-acme-http-solver-a", host));
  await admin.create(Ingress, solver("cm-acme-http-solver-b", `other.${host}`));
  await cloud.person(namespace).delete(kindOf(app), "files", namespace);
  await eventually("it is gone", async () => (await cloud.get(app, "files", namespace)) === undefined);
  const left = (await admin.list(Ingress, { namespace })).items.map(({ metadata }) => metadata.name);
  assert.deepEqual(left, ["cm-acme-http-solver-b"]);
});
