/**
 * Where redis differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const redis: readonly Deviation[] = [];
