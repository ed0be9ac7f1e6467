/** Texts in URLs. */

/** As Go's `url.QueryEscape`, by which upstream's charts put passwords into URLs: a space becomes `+`. */
export function queryEscape(text: string): string {
  const rest = /[!'()*]/g;
  return encodeURIComponent(text)
    .replace(rest, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+");
}
