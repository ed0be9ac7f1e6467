import assert from "node:assert/strict";
import { test } from "node:test";
import { DocumentError, parseDocuments, readSources } from "./documents.ts";

const parse = (text: string) => parseDocuments([{ name: "app.yaml", text }]);

const good = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";

const refusals: { readonly why: string; readonly text: string; readonly message: RegExp }[] = [
  {
    why: "broken YAML names its line",
    text: `${good}---\na: [\n`,
    message: /^app\.yaml, document 2, line \d+: no YAML/,
  },
  { why: "a key twice is no YAML", text: `${good}kind: Secret\n`, message: /document 1, line 4: no YAML: .*unique/ },
  { why: "a text is no object", text: "hello\n", message: /document 1, line 1: no Kubernetes object/ },
  { why: "a list is no object", text: "- a\n- b\n", message: /document 1, line 1: no Kubernetes object/ },
  { why: "apiVersion is needed", text: "kind: A\nmetadata: {name: a}\n", message: /line 1: apiVersion is missing/ },
  { why: "kind is needed", text: "apiVersion: v1\nmetadata: {name: a}\n", message: /kind is missing/ },
  { why: "a name is needed", text: "apiVersion: v1\nkind: A\nmetadata: {}\n", message: /metadata\.name is missing/ },
  {
    why: "a number is no name, and its line is told",
    text: "apiVersion: v1\nkind: A\nmetadata:\n  name: 12\n",
    message: /document 1, line 4: metadata\.name is no text/,
  },
  {
    why: "nor a namespace",
    text: "apiVersion: v1\nkind: A\nmetadata:\n  name: a\n  namespace: 1e3\n",
    message: /line 5: metadata\.namespace is no text/,
  },
  { why: "nothing at all", text: "# only a comment\n", message: /^app\.yaml: there is no document/ },
  {
    why: "one object twice",
    text: `${good}---\n${good}`,
    message: /document 2: ConfigMap a is in app\.yaml, document 1/,
  },
  {
    why: "aliases that would fill the memory",
    text: `${good}a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`,
    message: /document 1: its aliases cannot be followed/,
  },
  {
    why: "an item of a List is named",
    text: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: A\n  metadata: {}\n",
    message: /document 1, item 1, line 4: metadata\.name is missing/,
  },
];

for (const { why, text, message } of refusals) {
  test(`a document is refused: ${why}`, () => {
    assert.throws(
      () => parse(text),
      (error) => error instanceof DocumentError && message.test(error.message) && error.remedy !== "",
    );
  });
}

test("several documents, JSON among them, empty ones left out, in their order", () => {
  const documents = parse(`---\n${good}---\n# nothing\n---\n{"apiVersion":"v1","kind":"B","metadata":{"name":"b"}}\n`);
  assert.deepEqual(
    documents.map(({ object, where }) => [object.kind, object.metadata.name, where]),
    [
      ["ConfigMap", "a", "app.yaml, document 1"],
      ["B", "b", "app.yaml, document 3"],
    ],
  );
});

test("the items of a List are documents", () => {
  const list = { apiVersion: "v1", kind: "List", items: [{ apiVersion: "v1", kind: "A", metadata: { name: "x" } }] };
  assert.deepEqual(
    parse(JSON.stringify(list)).map(({ object }) => object.metadata.name),
    ["x"],
  );
});

test("a path has the line of its value, or of what is nearest above it", () => {
  const [document] = parse(
    "apiVersion: v1\nkind: A\nmetadata:\n  name: a\nspec:\n  users:\n    - name: x\n      age: 3\n",
  );
  assert.equal(document?.lineOf(["spec", "users", 0, "age"]), 8);
  assert.equal(document?.lineOf(["spec", "users", 0, "missing"]), 7);
  assert.equal(document?.lineOf(["nowhere"]), 1);
});

test("a file that is not there is said so, a folder gives its documents by name", () => {
  assert.throws(() => readSources(["no/such.yaml"]), /no\/such\.yaml: there is no such file/);
  assert.throws(() => readSources(["src/cli"]), /src\/cli: the folder has no YAML or JSON file/);
  const names = readSources(["examples/demo"]).map(({ name }) => name);
  assert.deepEqual(names, [...names].sort());
  assert.equal(readSources(["-"], () => good)[0]?.name, "standard input");
});
