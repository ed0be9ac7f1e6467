/**
 * Our own kinds in `internal.cozystack.io`, which no tenant role may touch: what the controllers say to each other.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { conditions, int64, oneOf, some, text } from "./fields.ts";

const group = "internal.cozystack.io";
const version = "v1alpha1";

/** Asks that a key of a Secret be shown to the tenant in a Secret of its own, `<release>.tenant-ca`. */
export const TenantProjection = defineContract({
  group,
  version,
  kind: "TenantProjection",
  plural: "tenantprojections",
  shortNames: ["tproj"],
  namespaced: true,
  columns: [
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  schema: Type.Object({
    spec: Type.Optional(
      Type.Object({
        projections: Type.Array(
          Type.Object({
            type: oneOf("CACert"),
            sourceSecretName: Type.String({ minLength: 1 }),
            sourceKey: Type.Optional(Type.String({ default: "ca.crt" })),
          }),
          { minItems: 1 },
        ),
      }),
    ),
    status: Type.Optional(some({ observedGeneration: int64(), conditions: conditions(true) })),
  }),
  impact: { otherwise: "inPlace" },
});

/**
 * What one application instance owns: where to look when pruning and deleting. It is authority only while `instance.uid`
 * is that of the live instance. Fields besides the declared ones are kept: what they mean is the reconciler's matter.
 */
export const Inventory = defineContract({
  group,
  version,
  kind: "Inventory",
  plural: "inventories",
  namespaced: true,
  columns: [
    { name: "Kind", type: "string", jsonPath: ".spec.instance.kind" },
    { name: "Name", type: "string", jsonPath: ".spec.instance.name" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  schema: Type.Object({
    spec: Type.Unsafe<InventorySpec>({
      type: "object",
      required: ["instance"],
      properties: {
        instance: Type.Object({
          group: text(),
          kind: text(),
          name: text(),
          uid: text(),
          generation: int64(),
        }),
        entries: Type.Array(text()),
      },
      "x-kubernetes-preserve-unknown-fields": true,
    }),
  }),
  impact: { otherwise: "none" },
});

export interface InventorySpec {
  /** The application object, as it was when this was written. */
  readonly instance: {
    readonly group: string;
    readonly kind: string;
    readonly name: string;
    readonly uid: string;
    readonly generation: number;
  };
  /** `group/kind/namespace/name@uid`, as `formatRef` writes it. */
  readonly entries?: readonly string[];
  readonly [field: string]: unknown;
}

/**
 * The budgets of one subtree of tenants, changed by compare-and-swap alone. Its name is the namespace of the topmost tenant.
 * See docs/quota.md.
 */
export const QuotaLedger = defineContract({
  group,
  version,
  kind: "QuotaLedger",
  plural: "quotaledgers",
  namespaced: true,
  columns: [
    { name: "Complete", type: "boolean", jsonPath: ".spec.complete" },
    { name: "Into", type: "string", jsonPath: ".spec.into" },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  schema: Type.Object({
    spec: Type.Unsafe<QuotaLedgerSpec>({
      type: "object",
      required: ["ancestors", "complete", "rows"],
      properties: {
        ancestors: Type.Array(text()),
        complete: Type.Boolean(),
        into: text(),
        // One value to the API server: kept account of by field, a ledger of 1,800 rows took it 300 ms a write rather than 70.
        rows: { type: "object", "x-kubernetes-preserve-unknown-fields": true, "x-kubernetes-map-type": "atomic" },
      },
    }),
  }),
  impact: { otherwise: "none" },
});

/** Amounts by resource, as a Tenant's `resourceQuotas`. */
type LedgerAmounts = Readonly<Record<string, string>>;

export interface QuotaLedgerSpec {
  /** Namespaces of the topmost tenant's ancestors, `tenant-root` first. */
  readonly ancestors: readonly string[];
  /** Whether it has taken over the ledgers below; only then anything is decided by it. */
  readonly complete: boolean;
  /** The ledger that took this one over: its rows are history. */
  readonly into?: string;
  /** By the namespace that the tenant owns. */
  readonly rows: Readonly<Record<string, QuotaLedgerRow>>;
}

export interface QuotaLedgerRow {
  readonly name: string;
  /** Namespaces of the tenant's ancestors, joined by commas. */
  readonly under: string;
  /** The Tenant as it was seen last; absent: it was not. */
  readonly uid?: string;
  readonly version?: string;
  readonly quotas?: LedgerAmounts;
  /** Writes that were let through and may or may not be stored. */
  readonly pending?: readonly {
    readonly quotas: LedgerAmounts;
    /** Milliseconds since the epoch. */
    readonly at: number;
    /** Of the object to be created. */
    readonly uid?: string;
    /** Version of the object to be updated. */
    readonly base?: string;
  }[];
}

/**
 * The upgrade that is under way, or the last one: which tenants it has come to, and what became of them. While it is not done, the
 * controllers leave alone what it has not released to their version (src/upgrade/gate.ts).
 */
export const UpgradeRun = defineContract({
  group,
  version,
  kind: "UpgradeRun",
  plural: "upgraderuns",
  namespaced: true,
  columns: [
    { name: "To", type: "string", jsonPath: ".spec.to" },
    { name: "Phase", type: "string", jsonPath: ".spec.phase" },
    { name: "Age", type: "date", jsonPath: ".spec.begun" },
  ],
  schema: Type.Object({
    spec: Type.Unsafe<UpgradeRunSpec>({
      type: "object",
      required: ["to", "phase", "waves"],
      properties: {
        to: text(),
        phase: oneOf("rolling", "halted", "done"),
        waves: { type: "array", items: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
      "x-kubernetes-preserve-unknown-fields": true,
    }),
  }),
  impact: { otherwise: "none" },
});

export interface UpgradeRunSpec {
  /** Version of the program whose controllers take over, wave by wave. */
  readonly to: string;
  /** Of the one that had them before; absent where nothing says it. */
  readonly from?: string;
  /** `halted`: something got worse, and nothing more is released until somebody goes on. `done`: nothing is held any more. */
  readonly phase: "rolling" | "halted" | "done";
  /** In the order of their turns. */
  readonly waves: readonly UpgradeWave[];
  /** RFC 3339. */
  readonly begun: string;
  readonly ended?: string;
  /** Why it halted. */
  readonly why?: string;
  /** Applications that were not ready when it began, as `keyOf` writes them. */
  readonly unready?: readonly string[];
  /** Where our own objects were saved, and the SHA-256 of that file. */
  readonly backup?: { readonly file: string; readonly sha256: string };
}

export interface UpgradeWave {
  readonly name: string;
  /** Namespaces of the tenants; absent for all that no other wave has. */
  readonly tenants?: readonly string[];
  readonly phase: "held" | "released" | "healthy";
  readonly released?: string;
  readonly healthy?: string;
  /** Applications by what happened to them. */
  readonly impacts?: Readonly<Record<string, number>>;
  /** Applications that more happened to than a change in place, as far as there is room: `Kind namespace/name: impact`. */
  readonly notable?: readonly string[];
}

export const internalContracts = [TenantProjection, Inventory, QuotaLedger, UpgradeRun] as const;
