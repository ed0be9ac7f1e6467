/**
 * Where tenant differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const tenant: readonly Deviation[] = [];
