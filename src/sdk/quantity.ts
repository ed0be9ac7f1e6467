/**
 * Kubernetes quantities, exactly: `10Gi`, `500m`, `1e3`. Read, compared and written as the API server does, quirks
 * included, which a test tries on a real one.
 */
import { type RefusalDetails, refuse } from "./errors.ts";

/** How a quantity was written, which decides how it is printed. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** An amount in billionths of the unit: Kubernetes keeps nothing smaller, and rounds away from zero to it. */
export interface Quantity {
  readonly nano: bigint;
  readonly format: QuantityFormat;
  /** The text as given, where Kubernetes keeps it: most values written in (nearly) canonical form. */
  readonly text?: string;
}

/**
 * The pattern that upstream's schemas put on quantities, narrower than what Kubernetes reads, and without the sign that
 * they allow: less than nothing of memory or a volume would be refused only by operators, if at all.
 */
export const quantityPattern =
  "^\\+?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

const decimalSuffixes = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const binarySuffixes = new Map([
  ["Ki", 10],
  ["Mi", 20],
  ["Gi", 30],
  ["Ti", 40],
  ["Pi", 50],
  ["Ei", 60],
]);
const suffixOfExponent = new Map([...decimalSuffixes].map(([suffix, exponent]) => [exponent, suffix]));

const grammar = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[+-]?[0-9]*)$/;
const unit = 1_000_000_000n;
const maxBinary = (2n ** 63n - 1n) * unit;
/** Kubernetes reads larger exponents and then computes for minutes. */
const maxExponent = 400;

interface Scale {
  readonly format: QuantityFormat;
  readonly exponent: number;
}

function scaleOf(suffix: string): Scale | undefined {
  const decimal = decimalSuffixes.get(suffix);
  if (decimal !== undefined) return { format: "DecimalSI", exponent: decimal };
  const binary = binarySuffixes.get(suffix);
  if (binary !== undefined) return { format: "BinarySI", exponent: binary };
  const match = /^[eE]([+-]?[0-9]+)$/.exec(suffix);
  const exponent = Number(match?.[1]);
  return match === null || Math.abs(exponent) > maxExponent ? undefined : { format: "DecimalExponent", exponent };
}

const power = (base: bigint, exponent: number): bigint => base ** BigInt(exponent);

/** `numerator / denominator`, rounded away from zero. Both are not negative. */
const divideUp = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator;

/** Kubernetes reads what fits in 64 bits without big numbers; some quirks of text and of lacking digits hang on it. */
function isShort(digits: string, denominator: string, scale: Scale): boolean {
  const length = Math.max(digits.length, 1);
  if (scale.format !== "BinarySI")
    return length + denominator.length <= 18 && scale.exponent - denominator.length >= -9;
  return denominator === "" && 14 - length - Math.trunc((scale.exponent * 3) / 10) >= 0;
}

/** Whether Kubernetes keeps the text of a short value as given rather than printing it anew. */
function keepsText(digits: string, denominator: string, scale: Scale): boolean {
  if (digits === "") return false;
  if (scale.format === "BinarySI") return (BigInt(digits) & 7n) !== 0n;
  return (scale.exponent - denominator.length) % 3 === 0 && !`${digits}${denominator}`.endsWith("000");
}

/** The quantity that `text` means; undefined when Kubernetes cannot read it. A number is read as its decimal text. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const source = typeof text === "number" ? String(text) : text;
  if (source === "") return undefined;
  const match = grammar.exec(source);
  if (match === null) return undefined;
  const [, sign = "", digits = "", denominator = "", suffix = ""] = match;
  const scale = scaleOf(suffix);
  if (scale === undefined) return undefined;
  const short = isShort(digits, denominator, scale);
  if (!short && !/^[^a-zA-Z]*[0-9]/.test(source)) return undefined;
  let numerator = BigInt(`${digits}${denominator}` === "" ? "0" : `${digits}${denominator}`) * unit;
  let divisor = power(10n, denominator.length);
  if (scale.format === "BinarySI") numerator *= power(2n, scale.exponent);
  else if (scale.exponent >= 0) numerator *= power(10n, scale.exponent);
  else divisor *= power(10n, -scale.exponent);
  let nano = divideUp(numerator, divisor);
  let { format } = scale;
  if (format === "BinarySI" && nano > maxBinary) nano = maxBinary;
  if (format === "BinarySI" && nano > 0n && nano < unit) format = "DecimalSI";
  const kept = short && keepsText(digits, denominator, scale);
  return { nano: sign === "-" ? -nano : nano, format, ...(kept ? { text: source } : {}) };
}

/** The refusal of a value that is no quantity, or less than nothing. */
export function noQuantity(value: unknown): Omit<RefusalDetails, "field"> {
  return {
    code: "InvalidQuantity",
    message: `${JSON.stringify(value)} is no quantity`,
    remedy: "Write a number with a suffix such as 500m, 2, 512Mi or 10Gi.",
  };
}

/** As {@link parseQuantity}, refusing what cannot be read. `field` is the path of the value. */
export function quantityOf(text: string | number, field: string): Quantity {
  return parseQuantity(text) ?? refuse({ ...noQuantity(text), field });
}

/** Less than 0, 0 or more than 0, as `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

function withoutFactors(value: bigint, factor: bigint): readonly [rest: bigint, times: number] {
  let rest = value;
  let times = 0;
  while (rest !== 0n && rest % factor === 0n) {
    rest /= factor;
    times += 1;
  }
  return [rest, times];
}

const binaryOfThousand = new Map([
  [0, ""],
  [1, "Ki"],
  [2, "Mi"],
  [3, "Gi"],
  [4, "Ti"],
  [5, "Pi"],
  [6, "Ei"],
]);

function printDecimal(nano: bigint, format: QuantityFormat): string {
  let [amount, times] = withoutFactors(nano, 10n);
  let exponent = times - 9;
  while (exponent % 3 !== 0) {
    amount *= 10n;
    exponent -= 1;
  }
  if (format === "DecimalExponent") return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
  // Above 10^18 Kubernetes finds no suffix and prints the digits alone, a value that is wrong; so do not.
  const suffix = suffixOfExponent.get(exponent);
  return suffix === undefined ? `${amount}e${exponent}` : `${amount}${suffix}`;
}

/** The text by which the API server prints the quantity. */
export function formatQuantity(quantity: Quantity): string {
  if (quantity.text !== undefined) return quantity.text;
  const { nano, format } = quantity;
  if (nano === 0n) return "0";
  const binary = format === "BinarySI" && (nano <= -1024n * unit || nano >= 1024n * unit) && nano % unit === 0n;
  if (!binary) return printDecimal(nano, format === "DecimalExponent" ? format : "DecimalSI");
  const [amount, thousands] = withoutFactors(nano / unit, 1024n);
  return `${amount}${binaryOfThousand.get(thousands) ?? ""}`;
}

/** The value as a number, exact up to 2^53 units, otherwise the nearest. */
export function quantityToNumber(quantity: Quantity): number {
  const whole = quantity.nano / unit;
  return Number(whole) + Number(quantity.nano - whole * unit) / 1e9;
}

/** The value in whole units (bytes, pods), rounded away from zero as the API server's quota does. */
export function quantityToInteger(quantity: Quantity): bigint {
  return quantity.nano < 0n ? -divideUp(-quantity.nano, unit) : divideUp(quantity.nano, unit);
}
