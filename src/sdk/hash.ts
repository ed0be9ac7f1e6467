/**
 * Hashes in names and annotations.
 */
import { createHash, createHmac } from "node:crypto";

/** SHA-256 of a text as 64 hexadecimal digits. */
export function sha256hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/**
 * `length` hexadecimal digits that stand for `content`, for the name of a Job that runs once per content. Keyed with a random
 * value of the application's own Secret, so that the name gives no means to try passwords that the content holds.
 */
export function contentHash(key: string, content: string, length = 10): string {
  return createHmac("sha256", key).update(content, "utf8").digest("hex").slice(0, length);
}
