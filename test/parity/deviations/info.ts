/**
 * Where info differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const info: readonly Deviation[] = [];
