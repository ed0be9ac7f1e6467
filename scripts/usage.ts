/**
 * `--help` of the programs that npm runs: what stands at the head of their file.
 */
import { readFileSync } from "node:fs";

/** The comment at the head of a file, as text. */
export function usageOf(source: string): string {
  const comment = /^\/\*\*\s*\n([\s\S]*?)\*\//.exec(source)?.[1] ?? "";
  return comment.replace(/^ \* ?/gm, "").trim();
}

/** Prints the usage and ends the program where `--help` or `-h` is among its arguments. Call it before anything is done. */
export function explainWhenAsked(file: string): void {
  if (!process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) return;
  console.log(usageOf(readFileSync(file, "utf8")));
  process.exit(0);
}
