/**
 * Numbers as Go's templates read and print them. Upstream computed requests this way, and running installations hold the
 * results, so that another rounding would restart every pod.
 */

const multipliers: ReadonlyMap<string, number> = new Map([
  ["n", 1e-9],
  ["u", 1e-6],
  ["m", 1e-3],
  ["", 1],
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
  ["T", 1e12],
  ["P", 1e15],
  ["E", 1e18],
  ["Ki", 2 ** 10],
  ["Mi", 2 ** 20],
  ["Gi", 2 ** 30],
  ["Ti", 2 ** 40],
  ["Pi", 2 ** 50],
  ["Ei", 2 ** 60],
]);

/** A quantity as the floating point number upstream computes with; 0 for a suffix it does not know. */
export function toFloat(quantity: string | number): number {
  if (typeof quantity === "number") return quantity;
  const match = /^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(quantity);
  const multiplier = multipliers.get(match?.[2] ?? "?");
  return match === null || multiplier === undefined ? 0 : Number(match[1]) * multiplier;
}

/** The default text of a Go float64: exponent form below 1e-4 and from 1e6 for the shortest digits, as in `1e+06`. */
export function goFloatText(value: number): string {
  const [digits = "", power = ""] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 21 && (exponent < 6 || digits === "Infinity")) return String(value);
  const magnitude = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits}e${exponent < 0 ? "-" : "+"}${magnitude}`;
}

interface Decimal {
  readonly digits: bigint;
  /** The value is digits times ten to this power. */
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", power = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

const places = 16;

/**
 * `dividend / divisor` over the decimal texts of both, rounded to 16 places (half away from zero) and then to the nearest
 * float64. Both finite, the divisor above 0.
 */
export function divideDecimal(dividend: number, divisor: number): number {
  const a = decimalOf(dividend);
  const b = decimalOf(divisor);
  const shift = a.exponent - b.exponent + places;
  const numerator = shift >= 0 ? a.digits * 10n ** BigInt(shift) : a.digits;
  const denominator = shift >= 0 ? b.digits : b.digits * 10n ** BigInt(-shift);
  const half = numerator < 0n ? -denominator : denominator;
  const scaled = (2n * numerator + half) / (2n * denominator);
  return Number(`${scaled}e-${places}`);
}
