/**
 * What the controllers and the twin say about failures. Most pass within moments, as watches do while kinds are being
 * installed: those are said only when they last.
 */
import { isTransient } from "../kube/errors.ts";
import type { World } from "../kube/world.ts";
import { problemLine } from "./problems.ts";

/** How long a passing failure may last unsaid. */
const PATIENCE_MS = 10_000;
/** A failure not seen for so long is another one. */
const FORGET_MS = 60_000;

/** A function that is told every failure and prints those worth it, one line each, the same line once a minute. */
export function failureLog(world: World, print: (line: string) => void): (what: string, error: unknown) => void {
  const seen = new Map<string, { readonly first: number; readonly last: number; readonly said: number | undefined }>();
  return (what, error) => {
    const line = `${what}: ${problemLine(error)}`;
    const now = world.monotonic();
    const known = seen.get(line);
    const before = known === undefined || now - known.last > FORGET_MS ? undefined : known;
    const first = before?.first ?? now;
    const isNews = before?.said === undefined || now - before.said > FORGET_MS;
    const say = isNews && (!isTransient(error) || now - first >= PATIENCE_MS);
    if (say) print(line);
    seen.set(line, { first, last: now, said: say ? now : before?.said });
  };
}
