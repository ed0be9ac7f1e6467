/**
 * Where bucket differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const bucket: readonly Deviation[] = [];
