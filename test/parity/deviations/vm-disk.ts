/**
 * Where vm-disk differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const vmDisk: readonly Deviation[] = [];
