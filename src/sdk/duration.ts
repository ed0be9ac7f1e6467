/**
 * Durations as Go writes them: `30s`, `1h30m`, `1.5h`. Exact, in nanoseconds.
 */
import { refuse } from "./errors.ts";

const units: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["µs", 1_000n], // micro sign
  ["μs", 1_000n], // Greek letter
  ["ms", 1_000_000n],
  ["s", 1_000_000_000n],
  ["m", 60_000_000_000n],
  ["h", 3_600_000_000_000n],
]);

const longest = 2n ** 63n - 1n;

/** The nanoseconds that `text` means; undefined when Go cannot read it. Fractions of a nanosecond are cut. */
export function parseDuration(text: string): bigint | undefined {
  const match = /^([+-]?)((?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/.exec(text);
  if (match === null) return /^[+-]?0$/.test(text) ? 0n : undefined;
  let total = 0n;
  for (const [, whole = "", fraction = "", unit = ""] of text.matchAll(/([0-9]*)\.?([0-9]*)(ns|us|µs|μs|ms|s|m|h)/g)) {
    const size = units.get(unit) ?? 0n;
    total += BigInt(whole === "" ? "0" : whole) * size;
    total += (BigInt(fraction === "" ? "0" : fraction) * size) / 10n ** BigInt(fraction.length);
  }
  const negative = match[1] === "-";
  if (total > longest + (negative ? 1n : 0n)) return undefined;
  return negative ? -total : total;
}

/** As {@link parseDuration}, refusing what cannot be read. */
export function durationOf(text: string, field: string): bigint {
  return (
    parseDuration(text) ??
    refuse({
      code: "InvalidDuration",
      field,
      message: `${JSON.stringify(text)} is no duration`,
      remedy: "Write numbers with units, such as 30s, 5m or 1h30m.",
    })
  );
}

function withFraction(value: bigint, size: bigint): string {
  const rest = value % size;
  if (rest === 0n) return `${value / size}`;
  const digits = String(size).length - 1;
  return `${value / size}.${String(rest).padStart(digits, "0").replace(/0+$/, "")}`;
}

/** The text by which Go prints a duration: `1h30m0s`, `1.5s`, `250ms`, `0s`. */
export function formatDuration(nanoseconds: bigint): string {
  if (nanoseconds === 0n) return "0s";
  if (nanoseconds < 0n) return `-${formatDuration(-nanoseconds)}`;
  if (nanoseconds < 1_000n) return `${nanoseconds}ns`;
  if (nanoseconds < 1_000_000n) return `${withFraction(nanoseconds, 1_000n)}µs`;
  if (nanoseconds < 1_000_000_000n) return `${withFraction(nanoseconds, 1_000_000n)}ms`;
  const hours = nanoseconds / 3_600_000_000_000n;
  const minutes = (nanoseconds / 60_000_000_000n) % 60n;
  const seconds = withFraction(nanoseconds % 60_000_000_000n, 1_000_000_000n);
  if (hours > 0n) return `${hours}h${minutes}m${seconds}s`;
  return minutes > 0n ? `${minutes}m${seconds}s` : `${seconds}s`;
}

/** Whole and fractional milliseconds, for timers. */
export function durationToMilliseconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e6;
}
