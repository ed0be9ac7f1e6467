/**
 * Every field of the catalogue that a volume is made of is declared as such: nobody can order one of nothing, or shrink one.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { StructuralSchema } from "../../src/kube/structural-schema.ts";
import type { App } from "../../src/sdk/app.ts";
import { hintsOf } from "../../src/sdk/hints.ts";
import { quantityPattern } from "../../src/sdk/quantity.ts";
import { volumeMessage, volumePattern } from "../../src/sdk/volume-size.ts";
import { allApps } from "./apps.ts";
import { leaves, volumesOf } from "./volumes.ts";

/** Quantities that are no sizes of volumes: by the last names of their paths. */
const others: readonly RegExp[] = [
  /(^|\.)(resources|requests|limits|minAllowed|maxAllowed)\.\w+$/,
  /^resourceQuotas\.\*$/,
  /(^|\.)(cpu|memory|podCpuLimit|podCpuRequest)$/,
  // Of machines that are made anew where it changes. Their pool refuses one of nothing.
  /(^|\.)diskSize$/,
];

/** The node of a path in what is served. */
function at(schema: StructuralSchema | undefined, [name, ...rest]: readonly string[]): StructuralSchema | undefined {
  if (name === undefined) return schema;
  return at(name === "*" ? (schema?.items ?? schema?.additionalProperties) : schema?.properties?.[name], rest);
}

function specOf(app: App): StructuralSchema | undefined {
  return app.crd().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"];
}

for (const { app } of await allApps()) {
  const quantities = leaves(app.schema).filter(({ schema }) => schema["pattern"] === quantityPattern);
  for (const { path, schema } of quantities) {
    const name = path.join(".");
    if (others.some((pattern) => pattern.test(name))) continue;
    test(`${app.kind}: spec.${name} is the size of a volume, and of more than nothing`, () => {
      assert.notEqual(hintsOf(schema).volume, undefined, "declare it with volumeSize(), or among the others above");
      const served = at(specOf(app), path);
      const rules = served?.["x-kubernetes-validations"] ?? [];
      const isRule = rules.some(({ message = "" }) => message.startsWith(volumeMessage("always")));
      // A rule on items costs too much: they have a pattern.
      assert.ok(path.includes("*") ? served?.pattern === volumePattern : isRule, JSON.stringify(served));
    });
  }

  for (const { path } of volumesOf(app.schema)) {
    // What is in a list is compared by a rule of the list.
    if (path.includes("*")) continue;
    test(`${app.kind}: spec.${path.join(".")} can grow but not shrink`, () => {
      const rules = at(specOf(app), path)?.["x-kubernetes-validations"] ?? [];
      assert.ok(rules.some(({ message = "" }) => message.includes("can grow but not shrink")));
    });
  }
}
