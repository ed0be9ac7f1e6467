/** That the judge of R15 sees what an injection would do. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Job } from "../../src/contracts/batch.ts";
import { ConfigMap, Secret } from "../../src/contracts/core.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { structureDifferences } from "./same-structure.ts";

const script = (line: string) =>
  Job("run", {
    spec: {
      template: {
        spec: { restartPolicy: "Never", containers: [{ name: "run", image: "x", command: ["sh", "-c", line] }] },
      },
    },
  });
const base64 = (text: string) => Buffer.from(text).toString("base64");

const rows: readonly { why: string; make: (text: string) => KubeObject; text: string; seen: RegExp | undefined }[] = [
  { why: "a value as it is", make: (a) => ConfigMap("x", { data: { a } }), text: "a\nb: {{", seen: undefined },
  { why: "a key", make: (a) => ConfigMap("x", { data: { [a]: "1" } }), text: "o'ne", seen: undefined },
  { why: "within a line", make: (a) => ConfigMap("x", { data: { a: `url=${a}` } }), text: "a b", seen: undefined },
  {
    why: "quoted in YAML",
    make: (a) => ConfigMap("x", { data: { a: `a: ${JSON.stringify(a)}\n` } }),
    text: 'a"\nb: [',
    seen: undefined,
  },
  {
    why: "raw in YAML",
    make: (a) => ConfigMap("x", { data: { a: `a: ${a}\nc: d\n` } }),
    text: "1\nb: 2",
    seen: /keys/,
  },
  {
    why: "raw in YAML, a word",
    make: (a) => ConfigMap("x", { data: { a: `a: ${a}\n` } }),
    text: "null",
    seen: /became/,
  },
  { why: "raw in JSON", make: (a) => ConfigMap("x", { data: { a: `{"a":"${a}"}` } }), text: '"', seen: /broken/ },
  { why: "raw in XML", make: (a) => ConfigMap("x", { data: { a: `<a>${a}</a>` } }), text: "<b/>", seen: /elements/ },
  { why: "another line", make: (a) => ConfigMap("x", { data: { a: `a=${a}` } }), text: "b\nc=d", seen: /lines/ },
  { why: "in a script", make: (a) => script(`echo ${a}`), text: "$(id)", seen: /script/ },
  { why: "a script file", make: (a) => ConfigMap("x", { data: { "a.sh": `echo '${a}'` } }), text: "b", seen: /script/ },
  {
    why: "within Base64",
    make: (a) => Secret("x", { data: { a: base64(`user = ${a}, and more`) } }),
    text: "b\nadmin = yes",
    seen: /lines/,
  },
  { why: "the name of an object", make: (a) => ConfigMap(`x-${a}`), text: "b", seen: undefined },
  { why: "another object", make: (a) => ConfigMap(a === "plain" ? "x" : "y"), text: "b", seen: /objects/ },
];

for (const { why, make, text, seen } of rows) {
  test(`${why}: ${seen === undefined ? "the same" : "another"} structure`, () => {
    const found = structureDifferences({ text: "plain", objects: [make("plain")] }, { text, objects: [make(text)] });
    if (seen === undefined) assert.deepEqual(found, []);
    else assert.match(found.join("\n"), seen);
  });
}
