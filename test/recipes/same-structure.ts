/** Whether a text that a user wrote went into objects as a text, and nothing else about them is different. */
import { gunzipSync } from "node:zlib";
import { parseAllDocuments } from "yaml";
import { isRecord } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";

/** Where the structure of two sets of objects differs, made from a plain text and from another one; empty: nowhere. */
export function structureDifferences(
  plain: { readonly text: string; readonly objects: readonly KubeObject[] },
  other: { readonly text: string; readonly objects: readonly KubeObject[] },
): readonly string[] {
  const same = comparison(plain.text, other.text);
  const named = (objects: readonly KubeObject[], text: string) =>
    objects.map((object) => ({
      object,
      name: `${object.kind} ${object.metadata.namespace ?? ""}/${masked(object.metadata.name, text)}`,
    }));
  const before = named(plain.objects, plain.text);
  const after = named(other.objects, other.text);
  const names = (all: typeof before) =>
    all
      .map(({ name }) => name)
      .toSorted()
      .join(", ");
  if (names(before) !== names(after)) return [`objects: ${names(before)} became ${names(after)}`];
  return before.flatMap(({ object, name }) => same(object, after.find((each) => each.name === name)?.object, name));
}

/** A name without the text where it is a word of its own, and without what a digest of the content ends in. */
function masked(name: string, text: string): string {
  const word = text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const isPossible = text.length < 300; // no name is longer
  const without = isPossible ? name.replace(new RegExp(`(?<![A-Za-z0-9])${word}(?![A-Za-z0-9])`, "g"), "*") : name;
  return without.replace(/-[0-9a-f]{6,}$/, "-#");
}

type Compare = (plain: unknown, other: unknown, path: string) => readonly string[];

function comparison(plainText: string, otherText: string): Compare {
  const compare: Compare = (plain, other, path) => {
    if (typeof plain === "string" && typeof other === "string") return texts(plain, other, path);
    if (Array.isArray(plain) && Array.isArray(other)) {
      if (plain.length !== other.length) return [`${path}: ${plain.length} items became ${other.length}`];
      return plain.flatMap((item, at) => compare(item, other[at], `${path}[${at}]`));
    }
    if (isRecord(plain) && isRecord(other)) {
      const keys = Object.keys(plain).map((key) => masked(key, plainText));
      const otherKeys = Object.keys(other).map((key) => masked(key, otherText));
      if (keys.toSorted().join() !== otherKeys.toSorted().join())
        return [`${path}: keys ${keys.join()} became ${otherKeys.join()}`];
      return Object.entries(plain).flatMap(([key, value]) => {
        const match = Object.entries(other).find(([each]) => masked(each, otherText) === masked(key, plainText));
        return compare(value, match?.[1], `${path}.${key}`);
      });
    }
    // A value that is read as a number from a text may be another number.
    return typeof plain === typeof other && (plain === null) === (other === null)
      ? []
      : [`${path}: ${typeof plain} became ${typeof other}`];
  };

  const texts = (plain: string, other: string, path: string): readonly string[] => {
    if (plain === other || (plain === plainText && other === otherText)) return [];
    const isScript = /\.(command|args)\[|\.sh$/.test(path);
    if (isScript) return [`${path}: a script has changed`];
    const [hidden, otherHidden] = [decoded(plain), decoded(other)];
    if (hidden !== undefined && otherHidden !== undefined) return texts(hidden, otherHidden, `${path} (decoded)`);
    const document = parsed(plain);
    if (document !== undefined) {
      const otherDocument = parsed(other);
      return otherDocument === undefined
        ? [`${path}: a document is broken`]
        : compare(document, otherDocument, `${path} (parsed)`);
    }
    if (/^[0-9a-f]{8,}$|^sha256:/.test(plain) && /^[0-9a-f]{8,}$|^sha256:/.test(other)) return []; // digests
    const elements = tags(plain);
    if (elements.length > 0) return elements.join() === tags(other).join() ? [] : [`${path}: elements have changed`];
    return lines(plain) === lines(other) ? [] : [`${path}: lines were added`];
  };
  // A text of several lines at the end of one is one more line for each.
  const lines = (text: string) => text.split("\n").length;
  return compare;
}

/** Text within Base64, or within Base64 of a gzip file. */
function decoded(text: string): string | undefined {
  if (text.length < 16 || !/^[A-Za-z0-9+/]+=*$/.test(text)) return undefined;
  const bytes = Buffer.from(text, "base64");
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes).toString();
  const read = bytes.toString();
  return Buffer.from(read).equals(bytes) && bytes.every((byte) => byte >= 9) ? read : undefined;
}

/** The documents of JSON or YAML that is more than one text. */
function parsed(text: string): unknown {
  try {
    const documents = parseAllDocuments(text);
    const values: unknown[] = [...documents].map((document) => {
      if (document.errors.length > 0) throw new Error("no document");
      return document.toJS();
    });
    return values.length > 0 && values.every((value) => typeof value === "object" && value !== null)
      ? values
      : undefined;
  } catch {
    return undefined; // no document: judged as text
  }
}

const tags = (text: string): readonly string[] => text.match(/<\/?[a-zA-Z_][^<>\s]*/g) ?? [];
