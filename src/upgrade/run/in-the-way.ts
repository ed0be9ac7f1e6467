/**
 * Which checks keep an upgrade from beginning.
 */
import { keepAnnotationCheck } from "../checks/keep-annotations.ts";
import type { CheckResult, Report } from "../checks/run.ts";

/** What a run does itself before it begins (protect.ts). */
const mended: ReadonlySet<string> = new Set([keepAnnotationCheck.id]);

/** What could not be read may be anything. */
export function inTheWay({ checks }: Pick<Report, "checks">): readonly CheckResult[] {
  return checks.filter(
    ({ id, unread, findings }) =>
      unread.length > 0 || (!mended.has(id) && findings.some(({ severity }) => severity === "blocking")),
  );
}
