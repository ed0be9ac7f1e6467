/**
 * What random values look like, and how they depend on each other.
 */
import { createHash } from "node:crypto";
import type { VolatileRelation } from "./case.ts";

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const ENCODED = "base64 of ";
const PEM = /^a PEM block: (.+)$/;

function decode(value: string): string | undefined {
  return BASE64.test(value) ? Buffer.from(value, "base64").toString("utf8") : undefined;
}

/** Whether `value` is of a shape: a regular expression, `a PEM block: ...`, or one of them after `base64 of `. */
export function hasShape(value: string, shape: string): boolean {
  if (shape.startsWith(ENCODED)) {
    const decoded = decode(value);
    return decoded !== undefined && hasShape(decoded, shape.slice(ENCODED.length));
  }
  const pem = PEM.exec(shape);
  if (pem !== null) {
    return value.startsWith(`-----BEGIN ${pem[1]}-----\n`) && value.trimEnd().endsWith(`-----END ${pem[1]}-----`);
  }
  return new RegExp(shape).test(value);
}

/** The value that a shape speaks about: decoded where it is said to be base64. */
export function plain(value: string, shape: string | undefined): string {
  return shape?.startsWith(ENCODED) ? (decode(value) ?? value) : value;
}

/** A value of a relation, with its shape. */
export interface Related {
  readonly value: string;
  readonly shape: string | undefined;
}

const checks: Readonly<
  Record<"equals" | "sha256hexOf" | "base64Of" | "contains", (value: Related, other: Related) => boolean>
> = {
  equals: (value, other) => value.value === other.value,
  sha256hexOf: (value, other) => value.value === createHash("sha256").update(other.value).digest("hex"),
  base64Of: (value, other) => value.value === Buffer.from(other.value).toString("base64"),
  contains: (value, other) => plain(value.value, value.shape).includes(plain(other.value, other.shape)),
};

export const relationNames = ["equals", "sha256hexOf", "base64Of", "contains"] as const;

/** The relations of an entry that do not hold. `read` gives the actual value at a pointer of the case. */
export function brokenRelations(
  relation: VolatileRelation,
  read: (pointer: string) => Related | undefined,
): readonly string[] {
  return relationNames.flatMap((name) => {
    const target = relation[name];
    if (target === undefined) return [];
    const [value, other] = [read(relation.path), read(target)];
    if (value === undefined || other === undefined) return [`${name} ${target}: one of the two values is absent`];
    return checks[name](value, other) ? [] : [`${name} ${target} does not hold`];
  });
}
