/**
 * Budgets as numbers: amounts by resource, exact, in billionths of the resource's unit.
 */
import { CozystackError } from "../../kube/errors.ts";
import { isRecord } from "../../kube/json.ts";
import { formatQuantity, parseQuantity } from "../../sdk/quantity.ts";

/** Billionths by resource, as its user writes the resource (`cpu`, `nvidia.com/gpu`, `count/pods`). None is negative. */
export type Amounts = ReadonlyMap<string, bigint>;

export const noAmounts: Amounts = new Map();

/** A budget that cannot be read, or that Kubernetes could not count; `field` is its path in the Tenant. */
export class BudgetInvalid extends CozystackError {
  readonly field: string;
  constructor(resource: string, problem: string, remedy: string) {
    const field = `spec.resourceQuotas[${resource}]`;
    super("BudgetInvalid", `${field}: ${problem}`, remedy);
    this.field = field;
  }
}

function amountOf(value: unknown): bigint | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const quantity = parseQuantity(value);
  return quantity === undefined || quantity.nano < 0n ? undefined : quantity.nano;
}

/** The amounts in a `resourceQuotas` map. @throws BudgetInvalid */
export function parseAmounts(map: unknown): Amounts {
  const amounts = new Map<string, bigint>();
  if (!isRecord(map)) return amounts;
  for (const [resource, value] of Object.entries(map)) {
    const amount = amountOf(value);
    if (amount === undefined) {
      throw new BudgetInvalid(
        resource,
        `${JSON.stringify(value)} is no amount of at least 0`,
        "Write a number with a suffix such as 500m, 2, 512Mi or 10Gi.",
      );
    }
    amounts.set(resource, amount);
  }
  return amounts;
}

/** As {@link parseAmounts}, for what is stored already: what cannot be read bounds nothing. */
export function readAmounts(map: unknown): Amounts {
  const amounts = new Map<string, bigint>();
  for (const [resource, value] of Object.entries(isRecord(map) ? map : {})) {
    const amount = amountOf(value);
    if (amount !== undefined) amounts.set(resource, amount);
  }
  return amounts;
}

const BYTES = /(^|[./])(memory|storage|ephemeral-storage|hugepages-[^/]*)$/;

/** Whether a resource is measured in bytes. */
export function inBytes(resource: string): boolean {
  return BYTES.test(resource);
}

/** An amount for people and for the API server: `500m`, `10Gi`. */
export function formatAmount(resource: string, nano: bigint): string {
  return formatQuantity({ nano, format: inBytes(resource) ? "BinarySI" : "DecimalSI" });
}

/** Amounts as the API server's maps hold them, keys sorted. */
export function formatAmounts(amounts: Amounts): Readonly<Record<string, string>> {
  const entries = [...amounts].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([resource, nano]) => [resource, formatAmount(resource, nano)]));
}

export function sameAmounts(a: Amounts, b: Amounts): boolean {
  return a.size === b.size && [...a].every(([resource, nano]) => b.get(resource) === nano);
}

export const atLeast = (a: bigint, b: bigint): bigint => (a > b ? a : b);
export const atMost = (a: bigint, b: bigint): bigint => (a < b ? a : b);
