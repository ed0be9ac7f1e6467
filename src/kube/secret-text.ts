/** Texts in Secrets, whose `data` is base64. */

export function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}

/** The text under a key; empty where there is no such key, or no Secret. */
export function secretText(
  secret: { readonly data?: Readonly<Record<string, string>> } | undefined,
  key: string,
): string {
  return Buffer.from(secret?.data?.[key] ?? "", "base64").toString("utf8");
}
