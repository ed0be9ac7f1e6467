/**
 * All checks, in the order of their numbers.
 */
import type { Check } from "./check.ts";
import { keepPinCheck } from "./keep-pins.ts";
import { pathCheck, targetCheck } from "./version-path.ts";

export const checks: readonly Check[] = [targetCheck, pathCheck, keepPinCheck];
