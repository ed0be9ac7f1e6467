/**
 * Ages as kubectl prints them: two units at most, and fewer the larger they are.
 */

const second = 1;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

interface Step {
  /** Seconds below which the step is used. */
  readonly below: number;
  readonly unit: readonly [seconds: number, letter: string];
  readonly rest?: readonly [seconds: number, letter: string];
}

const steps: readonly Step[] = [
  { below: 2 * minute, unit: [second, "s"] },
  { below: 10 * minute, unit: [minute, "m"], rest: [second, "s"] },
  { below: 3 * hour, unit: [minute, "m"] },
  { below: 8 * hour, unit: [hour, "h"], rest: [minute, "m"] },
  { below: 2 * day, unit: [hour, "h"] },
  { below: 8 * day, unit: [day, "d"], rest: [hour, "h"] },
  { below: 2 * year, unit: [day, "d"] },
  { below: 8 * year, unit: [year, "y"], rest: [day, "d"] },
  { below: Number.POSITIVE_INFINITY, unit: [year, "y"] },
];

/** `5m30s`, `3d4h`; `<invalid>` for a time in the future, `<unknown>` for none. */
export function age(timestamp: string | undefined, now: number): string {
  const then = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  if (Number.isNaN(then)) return "<unknown>";
  const seconds = Math.floor((now - then) / 1000);
  if (seconds < -1) return "<invalid>";
  const past = Math.max(0, seconds);
  const step = steps.find(({ below }) => past < below);
  if (step === undefined) return "<unknown>";
  const [size, letter] = step.unit;
  const whole = Math.floor(past / size);
  if (step.rest === undefined) return `${whole}${letter}`;
  const left = Math.floor((past - whole * size) / step.rest[0]);
  return left === 0 ? `${whole}${letter}` : `${whole}${letter}${left}${step.rest[1]}`;
}
