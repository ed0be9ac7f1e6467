/**
 * Names as users write them, in the form of Kubernetes names: `userOne` as `user-one`. Where words begin is upstream's
 * rule, letter by letter, because running installations hold the results.
 */

/** A run of the name: capital letters and what belongs to them, small letters, digits, separators, or anything else. */
interface Word {
  readonly type: "capital" | "small" | "digits" | "separator" | "other";
  readonly text: string;
}

// The last of several capitals begins the next word: HTTPServer is http-server.
const pattern = /([A-Z]+(?![a-z])|[A-Z][a-z]*)|([a-z]+)|([0-9]+)|([-_\s]+)|([^A-Za-z0-9\-_\s][^A-Za-z0-9\s]*)/g;
const types = ["capital", "small", "digits", "separator", "other"] as const;

function words(name: string): readonly Word[] {
  return [...name.matchAll(pattern)].flatMap(([text, ...groups]) => {
    const type = types[groups.findIndex((group) => group !== undefined)];
    return type === undefined ? [] : [{ type, text }];
  });
}

const isWord = (word: Word | undefined): boolean =>
  word !== undefined && word.type !== "separator" && word.type !== "other";

/** How many words from `at` on, all of digits or small letters, stay one part once digits have begun it: `2m3s`. */
function run(all: readonly Word[], at: number): number {
  const rest = all.slice(at);
  const end = rest.findIndex(({ type }) => type !== "digits" && type !== "small");
  return end === -1 ? rest.length : end;
}

/** How many words from `at` on make one part of the name, with no dash between them. */
function partAt(all: readonly Word[], at: number): number {
  const [word, digits, after] = all.slice(at, at + 3);
  if (word === undefined || !isWord(word)) return 1;
  if (word.type === "digits") return run(all, at);
  // Digits belong to the word before them, unless small letters follow: http2xx is http-2xx, bld4Floor is bld4-floor.
  return digits?.type === "digits" && after?.type !== "small" ? 2 : 1;
}

/** `name` in small letters with dashes between its words. Separators and spaces become dashes, other characters stay. */
export function kebabCase(name: string): string {
  const all = words(name);
  let text = "";
  for (let at = 0; at < all.length; ) {
    const next = at + partAt(all, at);
    for (const word of all.slice(at, next)) {
      text += word.type === "separator" ? "-".repeat(word.text.length) : word.text.toLowerCase();
    }
    if (isWord(all[next - 1]) && isWord(all[next])) text += "-";
    at = next;
  }
  return text;
}
