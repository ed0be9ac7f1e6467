/**
 * Where vm-instance differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const vmInstance: readonly Deviation[] = [];
