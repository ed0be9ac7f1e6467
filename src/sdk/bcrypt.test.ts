import assert from "node:assert/strict";
import { test } from "node:test";
import { bcrypt } from "./bcrypt.ts";

const alphabet = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function decode(text: string): Uint8Array {
  const bits = [...text].map((letter) => alphabet.indexOf(letter).toString(2).padStart(6, "0")).join("");
  return Uint8Array.from({ length: 16 }, (_, at) => Number.parseInt(bits.slice(at * 8, at * 8 + 8), 2));
}

// Published vectors of other implementations.
const vectors = [
  { why: "no password", password: "", hash: "$2a$05$CCCCCCCCCCCCCCCCCCCCC.7uG0VCzI2bS7j6ymqJi9CdcdxiRTWNy" },
  { why: "four characters", password: "U*U*", hash: "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK" },
  { why: "three characters", password: "U*U", hash: "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW" },
  { why: "a higher cost", password: "abc", hash: "$2a$06$If6bvum7DFjUnE9p2uDeDu0YHzrHM6tf.iqN8.yx.jNN1ILEf7h0i" },
] as const;

for (const { why, password, hash } of vectors) {
  test(`hashes ${why} as others do`, () => {
    assert.equal(bcrypt(password, decode(hash.slice(7, 29)), Number(hash.slice(4, 6))), hash);
  });
}

const salt = new Uint8Array(16).fill(7);

test("72 bytes of a password count, and no more", () => {
  const long = "x".repeat(72);
  assert.equal(bcrypt(`${long}a`, salt, 4), bcrypt(long, salt, 4));
  assert.notEqual(bcrypt(long.slice(1), salt, 4), bcrypt(long, salt, 4));
});

test("a salt has 16 bytes", () => {
  assert.throws(() => bcrypt("a", new Uint8Array(15)), RangeError);
  assert.notEqual(bcrypt("a", salt, 4), bcrypt("a", new Uint8Array(16), 4));
});
