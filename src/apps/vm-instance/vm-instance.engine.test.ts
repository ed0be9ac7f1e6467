import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { vmInstance } from "./index.ts";

const whole = { cpu: 2, sockets: 1, memory: "2Gi" };
const list = (count: number, make: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => make(index));

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  { why: "a size by number", spec: { instanceType: "", resources: whole } },
  { why: "a size by texts", spec: { instanceType: "", resources: { cpu: "2", sockets: "1", memory: 2147483648 } } },
  { why: "no size", spec: { instanceType: "" }, refused: /needs an instanceType, or all of/ },
  {
    why: "half a size",
    spec: { instanceType: "", resources: { cpu: 2, memory: "2Gi" } },
    refused: /needs an instanceType/,
  },
  {
    why: "half a core",
    spec: { instanceType: "", resources: { ...whole, cpu: "500m" } },
    refused: /resources\.cpu is a whole number/,
  },
  { why: "two sizes", spec: { resources: whole }, refused: /both say the size/ },
  { why: "cores that say nothing beside an instance type", spec: { resources: { cpu: 2 } } },
  { why: "from a type to a size by number", before: {}, spec: { instanceType: "", resources: whole } },
  {
    why: "no port on an external address",
    spec: { external: true, externalPorts: [] },
    refused: /externalPorts is empty/,
  },
  { why: "no port on a whole address", spec: { external: true, externalMethod: "WholeIP", externalPorts: [] } },
  { why: "a port twice", spec: { externalPorts: [22, 22] }, refused: /a port is listed twice/ },
  { why: "port 0", spec: { externalPorts: [0] }, refused: /externalPorts\[0\]/ },
  { why: "as many ports as there may be", spec: { externalPorts: list(256, (index) => index + 1) } },
  { why: "more ports", spec: { externalPorts: list(257, (index) => index + 1) }, refused: /256/ },
  { why: "as many disks as there may be", spec: { disks: list(64, (index) => ({ name: `disk-${index}` })) } },
  {
    why: "a disk twice",
    spec: { disks: [{ name: "a" }, { name: "b" }, { name: "a" }] },
    refused: /a disk is listed twice/,
  },
  { why: "a disk without a name", spec: { disks: [{ bus: "scsi" }] }, refused: /disks\[0\]\.name.*[Rr]equired/ },
  { why: "a network twice", spec: { networks: [{ name: "a" }, { name: "a" }] }, refused: /a network is listed twice/ },
  { why: "a subnet twice", spec: { subnets: [{ name: "a" }, { name: "a" }] }, refused: /a network is listed twice/ },
  { why: "the pod network's name", spec: { networks: [{ name: "default" }] }, refused: /name of the pod network/ },
  { why: "a graphics processor twice", spec: { gpus: [{ name: "nvidia.com/A400" }, { name: "nvidia.com/A400" }] } },
  { why: "a key with quotes", spec: { sshKeys: ['command="x" ssh-ed25519 AAAA'] } },
  { why: "a key of two lines", spec: { sshKeys: ["a\nb"] }, refused: /sshKeys\[0\]/ },
  { why: "a field of an older kind", spec: { running: true } },
  { why: "a document of 1 MiB", spec: { cloudInit: "x".repeat(1 << 20) }, refused: /cloudInit/ },
];

const check = await ruleChecker(vmInstance);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));
