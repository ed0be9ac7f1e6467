/**
 * Documents that people hand over: YAML or JSON, several in a file, from files, folders or standard input. Each remembers
 * where it came from, so that a complaint can name file, document and line.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isNode, LineCounter, parseAllDocuments, type Document as YamlDocument } from "yaml";
import { CozystackError } from "../kube/errors.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { groupOf, type KubeObject, keyOf } from "../kube/object.ts";

/** Text that is no Kubernetes object. */
export class DocumentError extends CozystackError {
  constructor(where: string, problem: string, remedy: string) {
    super("DocumentInvalid", `${where}: ${problem}`, remedy);
  }
}

export interface Document {
  /** `FILE, document 2` */
  readonly where: string;
  /** Line of a path in the object, counted from 1; of the nearest thing above it that has one. */
  lineOf(path: readonly (string | number)[]): number;
  readonly object: KubeObject;
}

/** A text and what to call it. */
export interface Source {
  readonly name: string;
  readonly text: string;
}

const extensions = /\.(ya?ml|json)$/;

/** The texts that `-f` names, in order; folders give their YAML and JSON files by name, `-` is standard input. */
export function readSources(
  paths: readonly string[],
  readStdin: () => string = () => readFileSync(0, "utf8"),
): readonly Source[] {
  return paths.flatMap((path) => {
    if (path === "-") return [{ name: "standard input", text: readStdin() }];
    if (!isFolder(path)) return [{ name: path, text: readText(path) }];
    const names = readdirSync(path)
      .filter((name) => extensions.test(name))
      .sort();
    if (names.length === 0)
      throw new DocumentError(path, "the folder has no YAML or JSON file", "Name another folder.");
    return names.map((name) => ({ name: join(path, name), text: readText(join(path, name)) }));
  });
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const why =
      error instanceof Error && "code" in error && error.code === "ENOENT" ? "there is no such file" : "cannot be read";
    throw new DocumentError(path, why, "Name a file that exists, or - for standard input.");
  }
}

/** The objects of the texts. Throws for the first that is none, and where one object is there twice. */
export function parseDocuments(sources: readonly Source[]): readonly Document[] {
  const documents = sources.flatMap(parseSource);
  const seen = new Map<string, string>();
  for (const { object, where } of documents) {
    const { name, namespace } = object.metadata;
    const key = keyOf({
      group: groupOf(object.apiVersion),
      kind: object.kind,
      name,
      ...(namespace === undefined ? {} : { namespace }),
    });
    const before = seen.get(key);
    if (before !== undefined) {
      throw new DocumentError(where, `${object.kind} ${name} is in ${before} already`, "Remove one of the two.");
    }
    seen.set(key, where);
  }
  if (documents.length === 0) {
    const names = sources.map(({ name }) => name).join(", ");
    throw new DocumentError(names, "there is no document in it", "Give at least one Kubernetes object.");
  }
  return documents;
}

function parseSource({ name, text }: Source): readonly Document[] {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines, prettyErrors: false });
  return [...parsed].flatMap((document, at) => {
    const where = `${name}, document ${at + 1}`;
    const [error] = document.errors;
    if (error !== undefined) {
      const { line } = lines.linePos(error.pos[0]);
      throw new DocumentError(`${where}, line ${line}`, `no YAML: ${error.message}`, "Correct the text at that line.");
    }
    const value = toValue(document, where);
    if (value === null || value === undefined) return [];
    return objectsOf(value, document, where, lines);
  });
}

function toValue(document: YamlDocument.Parsed, where: string): unknown {
  try {
    return document.toJS();
  } catch {
    // Aliases that would fill the memory, or that name nothing.
    throw new DocumentError(where, "its aliases cannot be followed", "Write the values out.");
  }
}

function objectsOf(
  value: unknown,
  document: YamlDocument.Parsed,
  where: string,
  lines: LineCounter,
  prefix: readonly (string | number)[] = [],
): readonly Document[] {
  const lineOf = (path: readonly (string | number)[]): number => lineAt(document, [...prefix, ...path], lines);
  const items = valueAt(value, "items");
  if (Array.isArray(items) && String(valueAt(value, "kind")).endsWith("List")) {
    return items.flatMap((item, at) => objectsOf(item, document, `${where}, item ${at + 1}`, lines, ["items", at]));
  }
  const at = (path: readonly string[]) => `${where}, line ${lineOf(path)}`;
  if (!isRecord(value)) {
    throw new DocumentError(at([]), "no Kubernetes object: it has no fields", "Write apiVersion, kind and metadata.");
  }
  const missing = (field: string) =>
    new DocumentError(at([]), `${field} is missing`, "Every object has apiVersion, kind and metadata.name.");
  const { apiVersion, kind, metadata } = value;
  if (typeof apiVersion !== "string" || apiVersion === "") throw missing("apiVersion");
  if (typeof kind !== "string" || kind === "") throw missing("kind");
  if (!isRecord(metadata)) throw missing("metadata.name");
  const { name, namespace } = metadata;
  if (typeof name !== "string" || name === "") {
    if (name === undefined || name === "") throw missing("metadata.name");
    throw new DocumentError(at(["metadata", "name"]), "metadata.name is no text", "Put the name into quotes.");
  }
  if (namespace !== undefined && typeof namespace !== "string") {
    throw new DocumentError(at(["metadata", "namespace"]), "metadata.namespace is no text", "Put it into quotes.");
  }
  const place = { name, ...(namespace === undefined ? {} : { namespace }) };
  return [{ where, lineOf, object: { ...value, apiVersion, kind, metadata: { ...metadata, ...place } } }];
}

function lineAt(document: YamlDocument.Parsed, path: readonly (string | number)[], lines: LineCounter): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return lines.linePos(document.range[0]).line;
}
