import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { seaweedfs } from "./index.ts";

const zones = (given: object) => ({ topology: "MultiZone", replicationFactor: 1, volume: { zones: given } });
const pool = (name: string, given: object = { diskType: "ssd" }) => ({ volume: { pools: { [name]: given } } });
const many = (count: number, value: (index: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value(index)]));

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a topology that is none", spec: { topology: "Ring" }, refused: /spec\.topology/ },
  { why: "a client with filers", spec: { topology: "Client", filer: { grpcHost: "f" } } },
  { why: "a client without filers", spec: { topology: "Client" }, refused: /filer\.grpcHost/ },
  { why: "zones without zones", spec: { topology: "MultiZone" }, refused: /needs volume\.zones/ },
  { why: "as many copies as zones", spec: { ...zones({ a: {}, b: {} }), replicationFactor: 2 } },
  {
    why: "more copies than zones",
    spec: { ...zones({ a: {}, b: {} }), replicationFactor: 3 },
    refused: /replicationFactor is more/,
  },
  { why: "no copy at all", spec: { replicationFactor: 0 }, refused: /replicationFactor/ },
  { why: "more copies than can be written", spec: { replicationFactor: 11 }, refused: /replicationFactor/ },
  {
    why: "pools of a client",
    spec: { ...pool("p"), topology: "Client", filer: { grpcHost: "f" } },
    refused: /volume\.pools is for topology Simple/,
  },
  {
    why: "pools outside zones",
    spec: {
      topology: "MultiZone",
      replicationFactor: 1,
      volume: { zones: { a: {} }, pools: { p: { diskType: "ssd" } } },
    },
    refused: /volume\.pools is for topology Simple/,
  },
  { why: "zones of a simple store, which have no effect", spec: { volume: { zones: { a: {} } } } },
  { why: "a pool of everything", spec: pool("p", { diskType: "ssd", replicas: 0, size: 10, storageClass: "" }) },
  { why: "a pool without a kind of disk", spec: pool("p", {}), refused: /diskType/ },
  { why: "a pool of no kind of disk", spec: pool("p", { diskType: "" }), refused: /diskType/ },
  { why: "a kind of disk in upper case", spec: pool("p", { diskType: "SSD" }), refused: /diskType/ },
  { why: "the volumes' kind of disk in upper case", spec: { volume: { diskType: "S-D" } }, refused: /diskType/ },
  { why: "a pool's name in upper case", spec: pool("P"), refused: /spec\.volume\.pools/ },
  { why: "a pool named x-lock", spec: pool("x-lock"), refused: /cannot end in -lock/ },
  { why: "a pool named x-readonly", spec: pool("x-readonly"), refused: /cannot end in -lock or -readonly/ },
  { why: "a pool named lock", spec: pool("lock") },
  {
    why: "a pool of a zone named x-lock",
    spec: zones({ a: { pools: { "x-lock": { diskType: "ssd" } } } }),
    refused: /cannot end in -lock/,
  },
  {
    why: "a pool with the volumes' kind of disk",
    spec: { volume: { diskType: "hdd", pools: { p: { diskType: "hdd" } } } },
    refused: /must differ from volume\.diskType/,
  },
  {
    why: "a pool of a zone with the volumes' kind of disk",
    spec: {
      topology: "MultiZone",
      replicationFactor: 1,
      volume: { diskType: "hdd", zones: { a: { pools: { p: { diskType: "hdd" } } } } },
    },
    refused: /must differ from volume\.diskType/,
  },
  {
    why: "one pool with two kinds of disk",
    spec: zones({ a: { pools: { p: { diskType: "ssd" } } }, b: { pools: { p: { diskType: "hdd" } } } }),
    refused: /same diskType in all/,
  },
  {
    why: "a zone named as another one's pool",
    spec: zones({ a: { pools: { p: { diskType: "ssd" } } }, "a-p": {} }),
    refused: /name of a zone is that of another zone/,
  },
  {
    why: "as many zones and pools as there may be",
    spec: zones(many(20, () => ({ pools: many(20, (index) => ({ diskType: `d${index}` })) }))),
  },
  { why: "more zones", spec: zones(many(21, () => ({}))), refused: /spec\.volume\.zones.*20/ },
  { why: "labels of nodes", spec: zones({ a: { nodeSelector: 'a.b/c: "1"\n# here\n\nd: x\n' } }) },
  { why: "nodes by a list", spec: zones({ a: { nodeSelector: "a: [b]" } }), refused: /nodeSelector/ },
  { why: "nodes by a template", spec: zones({ a: { nodeSelector: "a: {{ .x }}" } }), refused: /nodeSelector/ },
  { why: "a data centre that runs something", spec: zones({ a: { dataCenter: "x; id" } }), refused: /dataCenter/ },
  { why: "a host that runs something", spec: { host: "x; id" }, refused: /spec\.host/ },
  { why: "a port that is none", spec: { filer: { grpcPort: 0 } }, refused: /grpcPort/ },
  { why: "networks", spec: { filer: { whitelist: ["10.0.0.0/8", "2001:db8::1"] } } },
  { why: "a network that is none", spec: { filer: { whitelist: ["10.0.0.0/8,\n"] } }, refused: /whitelist/ },
  { why: "a negative number of replicas", spec: { s3: { replicas: -1 } }, refused: /s3\.replicas/ },
  { why: "a database without servers", spec: { db: { replicas: 0 } }, refused: /db\.replicas/ },
  { why: "another topology", before: {}, spec: zones({ a: {} }), refused: /topology is immutable/ },
  { why: "volumes that grow", before: { volume: { size: "1Gi" } }, spec: { volume: { size: "2Gi" } } },
  {
    why: "volumes that shrink",
    before: { volume: { size: "2Gi" } },
    spec: { volume: { size: "1Gi" } },
    refused: /volume\.size can grow but not shrink/,
  },
  {
    why: "a database's volumes that shrink",
    before: { db: { size: "2Gi" } },
    spec: { db: { size: "1Gi" } },
    refused: /db\.size can grow but not shrink/,
  },
  {
    why: "another storage class",
    before: { volume: { storageClass: "a" } },
    spec: { volume: { storageClass: "b" } },
    refused: /storageClass is immutable/,
  },
  {
    why: "another storage class of a pool",
    before: pool("p", { diskType: "ssd", storageClass: "a" }),
    spec: pool("p", { storageClass: "b" }),
    refused: /storageClass is immutable/,
  },
  { why: "another pool later", before: pool("p"), spec: pool("q", { diskType: "nvme" }) },
];

const check = await ruleChecker(seaweedfs);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));
