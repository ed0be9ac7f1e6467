import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { StatefulSet } from "../../contracts/apps.ts";
import { ConfigMap, PersistentVolumeClaim, Secret } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import { Refusal } from "../../sdk/errors.ts";
import { seaweedfs } from "./index.ts";

const zones = (given: object, rest: object = {}) => ({
  topology: "MultiZone",
  replicationFactor: 1,
  volume: { zones: given, ...rest },
});
const pool = (name: string, diskType = "ssd") => ({ volume: { pools: { [name]: { diskType } } } });
const inZone = (given: object) => zones({ a: { pools: { p: given } } });

interface Row {
  readonly why: string;
  readonly spec?: object;
  readonly existing?: readonly KubeObject[];
  readonly field: string;
  readonly says?: RegExp;
  readonly code?: string;
}

const refused: readonly Row[] = [
  { why: "a topology that is none", spec: { topology: "Ring" }, field: "spec.topology" },
  { why: "a client without filers", spec: { topology: "Client" }, field: "spec.filer.grpcHost" },
  { why: "no copy at all", spec: { replicationFactor: 0 }, field: "spec.replicationFactor" },
  { why: "more copies than can be written", spec: { replicationFactor: 11 }, field: "spec.replicationFactor" },
  { why: "zones without zones", spec: { topology: "MultiZone" }, field: "spec.volume.zones" },
  {
    why: "more copies than zones",
    spec: { ...zones({ a: {} }), replicationFactor: 2 },
    field: "spec.replicationFactor",
    says: /more than there are zones/,
  },
  {
    why: "pools of a client",
    spec: { ...pool("p"), topology: "Client", filer: { grpcHost: "f" } },
    field: "spec.volume.pools",
  },
  {
    why: "pools outside zones",
    spec: zones({ a: {} }, { pools: { p: { diskType: "ssd" } } }),
    field: "spec.volume.pools",
  },
  { why: "a pool without a kind of disk", spec: pool("p", ""), field: "spec.volume.pools.p.diskType" },
  {
    why: "a kind of disk in upper case",
    spec: inZone({ diskType: "S-SD" }),
    field: "spec.volume.zones.a.pools.p.diskType",
  },
  {
    why: "the volumes' kind of disk in upper case",
    spec: { volume: { diskType: "SSD" } },
    field: "spec.volume.diskType",
  },
  { why: "a pool's name in upper case", spec: pool("P"), field: "spec.volume.pools" },
  { why: "a pool's name that begins with a dash", spec: pool("-p"), field: "spec.volume.pools" },
  { why: "a pool named x-lock", spec: pool("x-lock"), field: "spec.volume.pools.x-lock" },
  { why: "a pool named x-readonly", spec: pool("x-readonly"), field: "spec.volume.pools.x-readonly" },
  {
    why: "a zone's pool named x-lock",
    spec: zones({ a: { pools: { "x-lock": { diskType: "ssd" } } } }),
    field: "spec.volume.zones.a.pools.x-lock",
  },
  {
    why: "a pool with the volumes' kind of disk",
    spec: { volume: { diskType: "ssd", ...pool("p").volume } },
    field: "spec.volume.pools.p.diskType",
  },
  {
    why: "a zone's pool with the volumes' kind of disk",
    spec: zones({ a: { pools: { p: { diskType: "hdd" } } } }, { diskType: "hdd" }),
    field: "spec.volume.zones.a.pools.p.diskType",
  },
  {
    why: "one pool with two kinds of disk",
    spec: zones({ a: { pools: { p: { diskType: "ssd" } } }, b: { pools: { p: { diskType: "hdd" } } } }),
    field: "spec.volume.zones.b.pools.p.diskType",
    says: /same diskType/,
  },
  {
    why: "a zone named as another one's pool",
    spec: zones({ a: { pools: { p: { diskType: "ssd" } } }, "a-p": {} }),
    field: "spec.volume.zones.a-p",
  },
  {
    why: "two zones whose pools have one name",
    spec: zones({ a: { pools: { "b-c": { diskType: "ssd" } } }, "a-b": { pools: { c: { diskType: "nvme" } } } }),
    field: "spec.volume.zones.a-b.pools.c",
  },
  { why: "a name that no label can have", spec: pool("p".repeat(57)), field: `spec.volume.pools.${"p".repeat(57)}` },
  { why: "a negative number of replicas", spec: { volume: { replicas: -1 } }, field: "spec.volume.replicas" },
  { why: "a database without servers", spec: { db: { replicas: 0 } }, field: "spec.db.replicas" },
  {
    why: "a pool of volumes of nothing",
    spec: inZone({ diskType: "ssd", size: "0" }),
    field: "spec.volume.zones.a.pools.p.size",
  },
  { why: "a host name that is none", spec: { host: "s3.example.org; id" }, field: "spec.host" },
  { why: "filers' host that is none", spec: { filer: { grpcHost: "a\nb" } }, field: "spec.filer.grpcHost" },
  {
    why: "a storage class that is none",
    spec: { volume: { storageClass: "a\n---\nb: c" } },
    field: "spec.volume.storageClass",
  },
  {
    why: "a data centre that runs something",
    spec: zones({ a: { dataCenter: "$(id)" } }),
    field: "spec.volume.zones.a.dataCenter",
  },
  {
    why: "a node selector that is more than labels",
    spec: zones({ a: { nodeSelector: "a: b\nx:\n  - y" } }),
    field: "spec.volume.zones.a.nodeSelector",
  },
  {
    why: "a node selector that is a template",
    spec: zones({ a: { nodeSelector: 'a: {{ lookup "v1" "Secret" "" "" }}' } }),
    field: "spec.volume.zones.a.nodeSelector",
  },
  {
    why: "a node selector whose value is no text",
    spec: zones({ a: { nodeSelector: "a: true" } }),
    field: "spec.volume.zones.a.nodeSelector",
    says: /quotes/,
  },
  {
    why: "another topology than recorded",
    spec: zones({ a: {} }),
    existing: [ConfigMap("seaweedfs-deployed-topology", { data: { topology: "Simple" } })],
    field: "spec.topology",
    says: /deployed as Simple/,
    code: "ImmutableField",
  },
  {
    why: "another topology than the volumes tell",
    spec: zones({ a: {} }),
    existing: [PersistentVolumeClaim("data1-seaweedfs-volume-0", { spec: { accessModes: ["ReadWriteOnce"] } })],
    field: "spec.topology",
    says: /deployed as Simple/,
    code: "ImmutableField",
  },
  {
    why: "another topology than the masters tell",
    existing: [set("seaweedfs-master")],
    field: "spec.topology",
    says: /deployed as MultiZone/,
    code: "ImmutableField",
  },
  {
    why: "volumes named after the release alone, class S (feature 31)",
    existing: [set("seaweedfs-system-volume")],
    field: "metadata.name",
    says: /empty store/,
    code: "UnsafeNames",
  },
  {
    why: "volumes with both kinds of names, class MIXED (feature 32)",
    existing: [claim("data1-seaweedfs-volume-0"), claim("data1-seaweedfs-system-volume-0")],
    field: "metadata.name",
    says: /cannot be told/,
    code: "UnsafeNames",
  },
];

function claim(name: string): KubeObject {
  return PersistentVolumeClaim(name, { spec: { accessModes: ["ReadWriteOnce"] } });
}

function set(name: string, labels: Readonly<Record<string, string>> = { "app.kubernetes.io/name": "seaweedfs" }) {
  const template = { metadata: { labels }, spec: { containers: [] } };
  return StatefulSet(name, { labels, spec: { serviceName: name, selector: { matchLabels: labels }, template } });
}

const certificate = Secret("seaweedfs-client-cert", {});
const demo = ({ spec, existing = [] }: RenderGiven) =>
  renderApp(seaweedfs, { name: "seaweedfs", spec, existing: [certificate, ...existing] });

for (const { why, spec = {}, existing = [], field, says = /./, code } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec, existing }),
      (error) => {
        assert.ok(error instanceof Refusal, String(error));
        assert.equal(error.field, field);
        assert.match(error.message + error.remedy, says);
        if (code !== undefined) assert.equal(error.code, code);
        return true;
      },
    );
  });
}

const renamed = set("seaweedfs-system-volume");
const recorded = (topology: string) => ConfigMap("seaweedfs-deployed-topology", { data: { topology } });

const accepted: readonly { readonly why: string; readonly spec?: object; readonly existing: readonly KubeObject[] }[] =
  [
    { why: "volumes named as the chart (class L)", existing: [claim("data1-seaweedfs-volume-0"), recorded("Simple")] },
    {
      why: "the record counts more than what was left of others",
      existing: [set("seaweedfs-master"), recorded("Simple")],
    },
    {
      why: "a record changed by hand beside volumes that tell better",
      existing: [claim("data1-seaweedfs-volume-0"), recorded("MultiZone")],
    },
    { why: "a record that names no topology", existing: [recorded("Simplex")] },
    { why: "StatefulSets of others", existing: [set("seaweedfs-system-volume", { app: "x" })] },
    {
      why: "a client beside volumes with other names",
      spec: { topology: "Client", filer: { grpcHost: "f" } },
      existing: [renamed],
    },
    { why: "labels of nodes in quotes", spec: zones({ a: { nodeSelector: "a: \"1\"\nb: 'true'\n" } }), existing: [] },
  ];

for (const { why, spec = {}, existing } of accepted)
  test(`accepts ${why}`, () => assert.doesNotThrow(() => demo({ spec, existing })));
