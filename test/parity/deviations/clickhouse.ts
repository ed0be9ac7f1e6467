/**
 * Where clickhouse differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const clickhouse: readonly Deviation[] = [];
