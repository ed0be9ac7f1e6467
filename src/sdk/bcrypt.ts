/**
 * The password hash bcrypt, for files of servers that read no other. It is slow on purpose: a render that hashes keeps what it
 * made.
 */

/** 32-bit words of the fraction of pi, from which Blowfish begins: 18 subkeys and four boxes of 256. */
const words = 18 + 4 * 256;

let initial: Uint32Array | undefined;

/** arctan(1/x) times `unit`. */
function arctan(x: bigint, unit: bigint): bigint {
  let term = unit / x;
  let sum = term;
  for (let n = 3n, sign = -1n; term > 0n; n += 2n, sign = -sign) {
    term /= x * x;
    sum += (sign * term) / n;
  }
  return sum;
}

function pi(): Uint32Array {
  if (initial !== undefined) return initial;
  const guard = 64n;
  const bits = BigInt(words * 32);
  const unit = 1n << (bits + guard);
  const fraction = ((16n * arctan(5n, unit) - 4n * arctan(239n, unit)) >> guard) & ((1n << bits) - 1n);
  const digits = fraction.toString(16).padStart(words * 8, "0");
  initial = Uint32Array.from({ length: words }, (_, at) => Number.parseInt(digits.slice(at * 8, at * 8 + 8), 16));
  return initial;
}

/** Blowfish: subkeys and boxes in one array, and the two halves of a block. */
class Blowfish {
  readonly state = pi().slice();
  left = 0;
  right = 0;

  encrypt(): void {
    const { state } = this;
    let left = this.left;
    let right = this.right;
    const at = (index: number): number => state[index] ?? 0;
    for (let round = 0; round < 16; round += 2) {
      left ^= at(round);
      right ^=
        ((at(18 + (left >>> 24)) + at(274 + ((left >>> 16) & 255))) ^ at(530 + ((left >>> 8) & 255))) +
        at(786 + (left & 255));
      right ^= at(round + 1);
      left ^=
        ((at(18 + (right >>> 24)) + at(274 + ((right >>> 16) & 255))) ^ at(530 + ((right >>> 8) & 255))) +
        at(786 + (right & 255));
    }
    this.left = right ^ at(17);
    this.right = left ^ at(16);
  }

  /** Mixes `key` into the subkeys, then replaces everything by what encrypting `salt` over and over gives. */
  expand(key: readonly number[], salt: readonly number[]): void {
    const { state } = this;
    for (let at = 0; at < 18; at += 1) state[at] = (state[at] ?? 0) ^ (key[at % key.length] ?? 0);
    this.left = 0;
    this.right = 0;
    for (let at = 0; at < words; at += 2) {
      this.left ^= salt[at % 4] ?? 0;
      this.right ^= salt[(at + 1) % 4] ?? 0;
      this.encrypt();
      state[at] = this.left;
      state[at + 1] = this.right;
    }
  }
}

/** As 18 words, repeated as often as needed. */
function cyclic(bytes: Uint8Array): readonly number[] {
  const byte = (at: number): number => bytes[at % bytes.length] ?? 0;
  return Array.from({ length: 18 }, (_, word) => [0, 1, 2, 3].reduce((sum, at) => (sum << 8) | byte(word * 4 + at), 0));
}

const alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function encode(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const groups = bits.match(/.{1,6}/g) ?? [];
  return groups.map((group) => alphabet[Number.parseInt(group.padEnd(6, "0"), 2)]).join("");
}

/**
 * The hash `$2a$<cost>$...` of a password, of which the first 72 bytes count. `salt`: 16 bytes, other ones for every password.
 * `cost`: each step more takes twice as long; 10 is a twentieth of a second.
 */
export function bcrypt(password: string, salt: Uint8Array, cost = 10): string {
  if (salt.length !== 16) throw new RangeError(`a salt has 16 bytes, not ${salt.length}`);
  const secret = new TextEncoder().encode(password);
  const key = cyclic(Uint8Array.of(...secret.slice(0, 72), ...(secret.length < 72 ? [0] : [])));
  const salted = cyclic(salt);
  const none = [0, 0, 0, 0];
  const cipher = new Blowfish();
  cipher.expand(key, salted);
  for (let round = 0; round < 2 ** cost; round += 1) {
    cipher.expand(key, none);
    cipher.expand(salted, none);
  }
  const text = Buffer.from("OrpheanBeholderScryDoubt");
  for (let at = 0; at < text.length; at += 8) {
    cipher.left = text.readInt32BE(at);
    cipher.right = text.readInt32BE(at + 4);
    for (let round = 0; round < 64; round += 1) cipher.encrypt();
    text.writeInt32BE(cipher.left, at);
    text.writeInt32BE(cipher.right, at + 4);
  }
  return `$2a$${String(cost).padStart(2, "0")}$${encode(salt)}${encode(text.subarray(0, 23))}`;
}
