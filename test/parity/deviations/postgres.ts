/**
 * Where postgres differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const postgres: readonly Deviation[] = [];
