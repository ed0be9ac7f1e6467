/**
 * The API server matches patterns with Go's RE2, the program and the console with JavaScript's engine. A pattern must
 * mean the same in both.
 */

const maxRepeat = 1000;

type Form = readonly [start: RegExp, name: string];

const groups: readonly Form[] = [
  [/^\(\?[=!]/, "lookahead"],
  [/^\(\?<[=!]/, "lookbehind"],
  [/^\[\^?\]/, "an empty character class"],
];

const escapes: readonly Form[] = [
  [/^\\[1-9]/, "a back reference"],
  [/^\\k</, "a named back reference"],
  [/^\\u/, "an escape by code"],
  [/^\\c/, "a control escape"],
  [/^\\[pP]\{[^}]*=/, "a Unicode property with a value"],
];

function repeatProblem(rest: string): string | undefined {
  const bounds = /^\{(\d+)(?:,(\d*))?\}/.exec(rest);
  if (bounds === null) return undefined;
  const [, low = "0", high = ""] = bounds;
  return Math.max(Number(low), Number(high)) > maxRepeat ? `a repeat of more than ${maxRepeat}` : undefined;
}

function compiles(pattern: string): string | undefined {
  try {
    new RegExp(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : "not a regular expression";
  }
}

/** What in `pattern` RE2 refuses or reads differently; undefined when nothing was found. */
export function re2Problem(pattern: string): string | undefined {
  const syntax = compiles(pattern);
  if (syntax !== undefined) return syntax;
  let inClass = false;
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const found = (inClass ? escapes : [...escapes, ...groups]).find(([start]) => start.test(rest));
    if (found !== undefined) return `${found[1]} is not known to RE2`;
    const repeat = inClass ? undefined : repeatProblem(rest);
    if (repeat !== undefined) return `${repeat} is refused by RE2`;
    if (rest.startsWith("[")) inClass = true;
    else if (rest.startsWith("]")) inClass = false;
    at += rest.startsWith("\\") ? 2 : 1;
  }
  return undefined;
}
