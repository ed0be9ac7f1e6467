/**
 * No field of an application makes the platform read, copy or expose what its author may not read. Every place in a
 * spec that takes text is tried: wherever the text comes out as the name of another object, it is either judged or
 * harmless, and said so below. A new field that names something fails here until it is one or the other.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { BucketClass } from "../../src/contracts/objectstorage-k8s-io.ts";
import { Secret } from "../../src/kube/core-kinds.ts";
import { isRecord } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { emptyRecord } from "../../src/reconcile/inventory-record.ts";
import { resolveRequests } from "../../src/reconcile/needs.ts";
import type { View } from "../../src/reconcile/view.ts";
import type { App } from "../../src/sdk/app.ts";
import { TENANT_RESOURCE } from "../../src/sdk/visibility.ts";
import { type Json, type StringField, stringFields } from "../recipes/string-fields.ts";
import { appOf } from "../support/cloud.ts";
import { instanceOf, objectsOf, place } from "./corpus.ts";

const canary = "canaryword";
/** Texts of which some field takes one, the canary in each. */
const baits = [canary, `https://${canary}.example.org`, `${canary}/x`, `${canary}.example.org`, `${canary}:80`];

/** What a value is by where it stands; undefined for what names nothing. */
function sortAt(path: readonly string[]): string | undefined {
  const tail = path.slice(-3).join(".");
  const last = path.at(-1) ?? "";
  if (last === "namespace" && path.length > 2) return "namespace";
  if (/serviceAccount(Name)?$/.test(last)) return "account";
  if (/secretName$|secret(Key)?(Ref)?\.name$|SecretName$|imagePullSecrets\.\*\.name$/i.test(tail)) return "secret";
  if (/(s3Credentials\.\w+|endpointCA)\.name$/.test(tail)) return "secret";
  if (/configMap(Key)?(Ref)?\.name$/i.test(tail)) return "configmap";
  if (/claimName$|pvc\.name$|dataVolume\.name$/i.test(tail)) return "volume";
  if (/networkName$/.test(last)) return "network";
  if (/class(Name)?$|instancetype\.name$|preference\.name$|schedulerName$/i.test(tail)) return "class";
  if (/^image$/.test(last)) return "image";
  if (/^hosts?$|hosts\.\*$/.test(path.slice(-2).join(".")) || last === "host") return "host";
  return undefined;
}

interface Named {
  readonly sort: string;
  readonly value: string;
  readonly at: string;
}

function* namesIn(value: unknown, path: readonly string[], kind: string): Generator<Named> {
  if (typeof value === "string") {
    const sort = value.includes(canary) ? sortAt(path) : undefined;
    if (sort !== undefined) yield { sort, value, at: `${kind} ${path.join(".")}` };
  } else if (Array.isArray(value)) {
    for (const each of value) yield* namesIn(each, [...path, "*"], kind);
  } else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) yield* namesIn(each, [...path, key], kind);
  }
}

/** What makes a field count. */
const bases: Readonly<Record<string, Json>> = {
  "Postgres backup.endpointCA.name": { backup: { s3AccessKey: "a", s3SecretKey: "b" } },
};

interface Found extends Named {
  readonly app: App;
  readonly field: StringField;
  readonly spec: Json;
}

/** Everything that texts of specs come out as the name of, but what the application itself renders. */
function found(app: App): readonly Found[] {
  return stringFields(app).flatMap((field) =>
    baits.flatMap((bait) => {
      const spec = field.put(bases[`${app.kind} ${field.path}`] ?? {}, bait);
      const objects = objectsOf(app, spec);
      const own = new Set(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`));
      const kinds: Readonly<Record<string, string>> = {
        secret: "Secret",
        configmap: "ConfigMap",
        volume: "PersistentVolumeClaim",
      };
      return objects
        .flatMap((object) => [...namesIn(JSON.parse(JSON.stringify(object)), [], object.kind)])
        .filter(({ sort, value }) => !own.has(`${kinds[sort] ?? sort} ${value}`))
        .map((named) => ({ ...named, app, field, spec }));
    }),
  );
}

interface Harmless {
  /** Kind and field. */
  readonly field: RegExp;
  readonly sort: string;
  readonly why: string;
}

const harmless: readonly Harmless[] = [
  {
    field: /[ .]storageClass(Name)?$/,
    sort: "class",
    why: "StorageClasses are the cluster's, and everybody in a tenant may list them (Option storageclass).",
  },
  {
    field: /^Bucket storagePool$/,
    sort: "class",
    why: "A class counts only if it is of the tenant's own object storage: test below.",
  },
  {
    field: /^VMInstance instance(Type|Profile)$/,
    sort: "class",
    why: "Sizes and guests are the cluster's, and Options list them.",
  },
  { field: /^Gateway gatewayClassName$/, sort: "class", why: "Gateways are written by the platform alone." },
  { field: /^Tenant schedulingClass$/, sort: "class", why: "Used only where no tenant above has one." },
  {
    field: /^VMDisk source\.image\.name$/,
    sort: "volume",
    why: "Only claims vm-default-images-* of cozy-public, which everybody in a tenant may read.",
  },
  { field: /^VMDisk source\.disk\.name$/, sort: "volume", why: "Only volumes vm-disk-* of the tenant itself." },
  { field: /^VMInstance disks\.\*\.name$/, sort: "volume", why: "Only volumes vm-disk-* of the tenant itself." },
  {
    field: /^VMInstance (networks|subnets)\.\*\.name$/,
    sort: "network",
    why: "Always with the tenant's own namespace before it.",
  },
  {
    field: /^OpenSearch images\./,
    sort: "image",
    why: "Pulled with no Secret of the platform's, and run without more rights than the server's own image.",
  },
  {
    field: /^(Harbor|Monitoring|SeaweedFS) (host|filer\.grpcHost)$/,
    sort: "host",
    why: "Ingresses of tenants are judged by the admission policy cozystack-ingress-hosts.",
  },
  {
    field: /^Bucket users\.\*key$/,
    sort: "secret",
    why: "Made by the storage's driver for this very access, under the application's own name.",
  },
];

const nameOf = ({ app, field }: Found): string => `${app.kind} ${field.path}`;

/** Whether the instance asks for the Secret, and takes it only if it is shown. */
function isJudged({ app, spec, value }: Found): boolean {
  return instanceOf(app, spec).needs.some(
    (need) =>
      need.type === "object" &&
      need.required &&
      need.kind.kind === "Secret" &&
      need.name === value &&
      need.counts?.if({ ...Secret(value), metadata: { name: value } }) === false,
  );
}

const everything = apps.flatMap(found);

describe("fields that name other objects", () => {
  test("each is judged, or harmless for a reason that is written down", () => {
    const open = everything.filter(
      (one) =>
        !(one.sort === "secret" && isJudged(one)) &&
        !harmless.some(({ field, sort }) => sort === one.sort && field.test(nameOf(one))),
    );
    assert.deepEqual([...new Set(open.map((one) => `${nameOf(one)}: ${one.sort} in ${one.at}`))], []);
  });

  test("every reason is of a field that is there", () => {
    const stale = harmless.filter(
      ({ field, sort }) => !everything.some((one) => one.sort === sort && field.test(nameOf(one))),
    );
    assert.deepEqual(
      stale.map(({ field }) => String(field)),
      [],
    );
  });

  test("no text becomes a namespace or an account", () => {
    const bad = everything.filter(({ sort }) => sort === "namespace" || sort === "account");
    assert.deepEqual(
      bad.map((one) => `${nameOf(one)}: ${one.at}`),
      [],
    );
  });

  test("objects in other namespaces come from no text of a spec", () => {
    for (const app of apps) {
      for (const field of stringFields(app)) {
        const namespaces = baits.flatMap((bait) =>
          objectsOf(app, field.put({}, bait)).map(({ metadata }) => metadata.namespace),
        );
        assert.ok(!namespaces.some((namespace) => namespace?.includes(canary)), `${app.kind} ${field.path}`);
      }
    }
  });
});

/** A cluster that holds these objects and nothing else. */
function viewOf(objects: readonly KubeObject[]): View {
  const find = (kind: { readonly kind: string }, name: string, namespace?: string) =>
    objects.find(
      (object) =>
        object.kind === kind.kind &&
        object.metadata.name === name &&
        (object.metadata.namespace === undefined || object.metadata.namespace === namespace),
    );
  const never = () => assert.fail("needs only read");
  return {
    serves: async () => true,
    read: async (kind, name, namespace) => find(kind, name, namespace),
    fresh: async (kind, name, namespace) => find(kind, name, namespace),
    list: async () => [],
    look: never,
    wrote: never,
  };
}

/** For generated Secrets, of which none is asked for here. */
const owner = { group: "", kind: "", namespace: "", name: "", uid: "" };
const unused = {
  instance: owner,
  inventory: emptyRecord(owner),
  randomBytes: () => new Uint8Array(32),
  mayAdopt: () => false,
  pending: new Map<string, Readonly<Record<string, string>>>(),
};

/** What a controller makes of the needs of a spec: what it waits for and why, or that all is there. */
async function resolved(app: App, spec: Json, objects: readonly KubeObject[]): Promise<string> {
  const { needs } = instanceOf(app, spec);
  const requests = needs.filter((need) => need.type === "object" && need.required);
  const view = viewOf(objects);
  const result = await resolveRequests({
    view,
    namespace: place.namespace,
    requests,
    ...unused,
  });
  return result.is === "waiting" ? `${result.on.kind} ${result.on.name} ${result.why}` : result.is;
}

describe("Secrets that a spec names", () => {
  const named = everything.filter((one) => one.sort === "secret" && one.value === canary && isJudged(one));
  const fields = [...new Map(named.map((one) => [nameOf(one), one])).values()];

  test("are named by some fields", () => assert.ok(fields.length >= 4, fields.map(nameOf).join(", ")));

  for (const one of fields) {
    test(`${nameOf(one)}: one that is not shown to the tenant looks like none`, async () => {
      const secret = (labels: Readonly<Record<string, string>>, namespace: string = place.namespace) =>
        Secret(canary, { namespace, labels });
      const missing = await resolved(one.app, one.spec, []);
      assert.match(missing, /^Secret canaryword does not exist yet, or is not shown to the tenant/);
      for (const hidden of [
        secret({}),
        secret({ [TENANT_RESOURCE]: "false" }),
        secret({ "internal.cozystack.io/managed-by-cozystack": "" }),
        secret({ [TENANT_RESOURCE]: "true" }, "tenant-other"),
      ]) {
        assert.equal(await resolved(one.app, one.spec, [hidden]), missing);
      }
      assert.equal(await resolved(one.app, one.spec, [secret({ [TENANT_RESOURCE]: "true" })]), "resolved");
    });
  }
});

describe("pools that a Bucket names", () => {
  const bucketClass = (driver: string) =>
    BucketClass("tenant-root-b", { driverName: driver, deletionPolicy: "Delete" });
  const spec = { storagePool: "b" };
  const rows = [
    { why: "the tenant's storage", driver: "tenant-root.seaweedfs.objectstorage.k8s.io", taken: true },
    { why: "another driver", driver: "ceph.objectstorage.k8s.io", taken: true },
    { why: "another tenant's storage", driver: "tenant-root-b.seaweedfs.objectstorage.k8s.io", taken: false },
    { why: "a sibling's storage", driver: "tenant-b.seaweedfs.objectstorage.k8s.io", taken: false },
  ];
  for (const { why, driver, taken } of rows) {
    test(`${why} is ${taken ? "taken" : "waited for as if it were not there"}`, async () => {
      const bucket = appOf("Bucket");
      const missing = await resolved(bucket, spec, []);
      assert.match(missing, /^BucketClass tenant-root-b does not exist yet, or is not of the tenant's object storage/);
      const answer = await resolved(bucket, spec, [bucketClass(driver)]);
      assert.equal(answer, taken ? "resolved" : missing);
    });
  }
});
