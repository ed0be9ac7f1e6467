/**
 * Lengths of time on the command line.
 */
import { InvalidArgumentError } from "commander";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `90s`, `5m`, `1h30m`. Throws what commander prints as wrong usage. */
export function duration(text: string): number {
  if (!/^(\d+(ms|s|m|h))+$/.test(text)) throw new InvalidArgumentError("Write a time such as 90s, 5m or 1h30m.");
  return [...text.matchAll(/(\d+)(ms|s|m|h)/g)].reduce(
    (sum, [, number, unit = "s"]) => sum + Number(number) * (units[unit] ?? 0),
    0,
  );
}
