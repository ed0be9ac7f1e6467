import assert from "node:assert/strict";
import test from "node:test";
import { contractCrd, objectSchemaOf } from "../../src/contracts/crd.ts";
import { contractKinds, ownKinds } from "../../src/contracts/index.ts";
import type { StructuralSchema } from "../../src/kube/structural-schema.ts";
import { disagreements } from "./agree.ts";
import { crdsPresent, realCrd } from "./real-crds.ts";

/** Kinds that exist only here. */
const invented = new Set([
  "inventories.internal.cozystack.io",
  "quotaledgers.internal.cozystack.io",
  "securitygroups.sdn.cozystack.io",
  "upgraderuns.internal.cozystack.io",
]);

/** Kinds that have a status here alone; what upstream has is the same. Their spec was always needed. */
const withStatus = new Set(["applicationdefinitions.cozystack.io"]);

for (const kind of contractKinds) {
  const name = `${kind.plural}.${kind.group}`;
  if (invented.has(name)) continue;
  test(`the contract of ${name} agrees with the real definition`, { skip: !crdsPresent && "no ../shared/crds" }, () => {
    const real = realCrd(kind.group, kind.plural);
    assert.ok(real, `there is no definition of ${name}`);
    const version = real.spec.versions.find((candidate) => candidate.name === kind.version);
    const schema = version?.schema?.openAPIV3Schema;
    assert.ok(schema, `${name} has no version ${kind.version}`);
    const found = disagreements(objectSchemaOf(kind), schema);
    assert.deepEqual(found, withStatus.has(name) ? ["status: does not exist there"] : []);
    const { names, scope } = real.spec;
    assert.equal(names.kind, kind.kind);
    assert.equal(names.singular, kind.contract.singular);
    assert.equal(scope, kind.namespaced ? "Namespaced" : "Cluster");
    assert.equal(version.subresources?.status !== undefined || withStatus.has(name), kind.contract.statusSubresource);
    for (const short of kind.contract.shortNames)
      assert.ok(names.shortNames?.includes(short), `${short} is no short name`);
  });
}

/** Schema keywords that limit what is accepted, per path, so that "the same" is more than the same fields. */
function promises(schema: StructuralSchema, path = ""): readonly string[] {
  const { properties, items, additionalProperties, description: _, title: _title, required, ...rest } = schema;
  // The union of an int-or-string adds nothing to the word.
  const own = Object.entries(rest).filter(([key]) => key !== "anyOf" || rest["x-kubernetes-int-or-string"] !== true);
  return [
    `${path} ${JSON.stringify(Object.fromEntries(own.sort()))} required ${[...(required ?? [])].sort().join(",")}`,
    ...Object.entries(properties ?? {}).flatMap(([name, child]) => promises(child, `${path}.${name}`)),
    ...(items === undefined ? [] : promises(items, `${path}[*]`)),
    ...(typeof additionalProperties === "object" ? promises(additionalProperties, `${path}{*}`) : []),
  ];
}

for (const kind of ownKinds) {
  const name = `${kind.plural}.${kind.group}`;
  if (invented.has(name)) continue;
  test(`${name} is served as it always was`, { skip: !crdsPresent && "no ../shared/crds" }, () => {
    const schema = realCrd(kind.group, kind.plural)?.spec.versions.find((one) => one.name === kind.version)?.schema;
    assert.ok(schema?.openAPIV3Schema);
    const isGrown = (line: string) => withStatus.has(name) && (line.startsWith(".status") || line.startsWith(" "));
    const [ours, theirs] = [promises(objectSchemaOf(kind)), promises(schema.openAPIV3Schema)].map((lines) =>
      lines.filter((line) => !isGrown(line)).sort(),
    );
    assert.deepEqual(ours, theirs);
    if (withStatus.has(name)) return;
    const columns = realCrd(kind.group, kind.plural)?.spec.versions[0]?.additionalPrinterColumns;
    assert.deepEqual(
      contractCrd(kind, true).spec.versions[0]?.additionalPrinterColumns?.map((column) => [column.name, column.type]),
      columns?.map((column) => [column.name, column.type]),
    );
  });
}

const real: StructuralSchema = {
  type: "object",
  required: ["name"],
  properties: {
    name: { type: "string" },
    mode: { type: "string", enum: ["a", "b"] },
    size: { "x-kubernetes-int-or-string": true },
    count: { type: "integer" },
    free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    map: { type: "object", additionalProperties: { type: "string" } },
    list: { type: "array", items: { type: "object", properties: { x: { type: "boolean" } } } },
  },
};
const name = { name: { type: "string" } } as const;
const rows: readonly { readonly why: string; readonly ours: StructuralSchema; readonly finds: RegExp | undefined }[] = [
  { why: "a subset", ours: { type: "object", required: ["name"], properties: name }, finds: undefined },
  {
    why: "a field that does not exist",
    ours: { type: "object", required: ["name"], properties: { ...name, nmae: { type: "string" } } },
    finds: /nmae: does not exist/,
  },
  {
    why: "another type",
    ours: { type: "object", required: ["name"], properties: { name: { type: "integer" } } },
    finds: /name: integer here, string there/,
  },
  { why: "a required field left out", ours: { type: "object", properties: name }, finds: /name is required there/ },
  {
    why: "a value outside the enum",
    ours: { type: "object", required: ["name"], properties: { ...name, mode: { type: "string", enum: ["c"] } } },
    finds: /c is no value there/,
  },
  {
    why: "any text where there is an enum",
    ours: { type: "object", required: ["name"], properties: { ...name, mode: { type: "string" } } },
    finds: /any text here/,
  },
  {
    why: "a text where there is int-or-string",
    ours: { type: "object", required: ["name"], properties: { ...name, size: { type: "string" } } },
    finds: /size/,
  },
  {
    why: "a wrong field in a list",
    ours: {
      type: "object",
      required: ["name"],
      properties: {
        ...name,
        list: { type: "array", items: { type: "object", properties: { y: { type: "boolean" } } } },
      },
    },
    finds: /list\[\*\]\.y: does not exist/,
  },
  {
    why: "a map of another type",
    ours: {
      type: "object",
      required: ["name"],
      properties: { ...name, map: { type: "object", additionalProperties: { type: "integer" } } },
    },
    finds: /map\{\*\}: integer here/,
  },
  {
    why: "anything inside an open object",
    ours: {
      type: "object",
      required: ["name"],
      properties: { ...name, free: { type: "object", properties: { a: { type: "string" } } } },
    },
    finds: undefined,
  },
];
for (const { why, ours, finds } of rows) {
  test(`the comparison of schemas: ${why}`, () => {
    const found = disagreements(ours, real).join("\n");
    if (finds === undefined) assert.equal(found, "");
    else assert.match(found, finds);
  });
}
