/**
 * Sizes of volumes: nobody can make one of nothing, and what asks for it waits for ever.
 */
import type { VolumeHint } from "./hints.ts";
import { quantityPattern } from "./quantity.ts";

/** RE2 of a quantity of nothing, of those that the pattern of quantities lets through. */
export const zero = "^[+]?[0.]+([^0-9.]|$)";

/** RE2 of a whole quantity above 0. */
export const volumePattern = quantityPattern.replace(
  "(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))",
  "((0*[1-9][0-9]*(\\.[0-9]*)?)|(0*\\.0*[1-9][0-9]*))",
);

/** Why a size is refused. */
export function volumeMessage(volume: VolumeHint): string {
  const none = volume === "orNone" ? "; for no volume write the number 0, without quotes" : "";
  return `the size of a volume must be more than 0${none}`;
}

/** Whether a volume can have this size, or may be left out by it. */
export function isVolumeSize(value: unknown, volume: VolumeHint): boolean {
  return (volume === "orNone" && value === 0) || !new RegExp(zero).test(String(value));
}
