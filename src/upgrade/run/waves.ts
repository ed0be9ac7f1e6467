/**
 * In which order an upgrade comes to tenants: the platform, one of them to see, then the others.
 */
import { ROOT } from "../../apps/tenant/place.ts";
import type { UpgradeWave } from "../../contracts/internal-cozystack-io.ts";
import { CozystackError } from "../../kube/errors.ts";
import { type RecordedApp, tenantOf } from "../effects/recorder.ts";

export interface WaveOptions {
  /** Namespace of the tenant that goes first. Default: the one with the fewest applications of all that have any. */
  readonly canary?: string;
  /** Tenants of a wave after that. Default 25. */
  readonly size?: number;
}

/** The tenant that was to go first does not exist. */
class CanaryUnknown extends CozystackError {
  constructor(canary: string) {
    super(
      "CanaryUnknown",
      `there is no tenant with the namespace ${canary}`,
      "Name the namespace of a tenant, such as tenant-a.",
    );
  }
}

/** All waves, held. The last one has every tenant that no other has, those too that come meanwhile. */
export function plannedWaves(apps: readonly RecordedApp[], { canary, size = 25 }: WaveOptions): readonly UpgradeWave[] {
  const counts = Map.groupBy(apps, ({ ref }) => tenantOf(ref));
  const tenants = [...counts.keys()].filter((tenant) => tenant !== ROOT).sort();
  if (canary !== undefined && !tenants.includes(canary)) throw new CanaryUnknown(canary);
  const count = (tenant: string): number => counts.get(tenant)?.length ?? 0;
  // A Tenant is an application of its own.
  const used = tenants.filter((tenant) => count(tenant) > 1).sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1));
  const first = canary ?? used[0] ?? tenants[0];
  const rest = tenants.filter((tenant) => tenant !== first);
  const named = Array.from(
    { length: Math.max(0, Math.ceil(rest.length / size) - 1) },
    (_, at): UpgradeWave => ({
      name: `tenants ${at + 1}`,
      tenants: rest.slice(at * size, (at + 1) * size),
      phase: "held",
    }),
  );
  return [
    { name: "platform", tenants: [ROOT], phase: "held" },
    ...(first === undefined ? [] : [{ name: "canary", tenants: [first], phase: "held" } as const]),
    ...named,
    { name: named.length === 0 ? "tenants" : `tenants ${named.length + 1}`, phase: "held" },
  ];
}

/** The wave that an application belongs to, by its place in the order. */
export function waveOf(waves: readonly UpgradeWave[], tenant: string): number {
  const named = waves.findIndex(({ tenants }) => tenants?.includes(tenant) === true);
  return named >= 0 ? named : waves.findIndex(({ tenants }) => tenants === undefined);
}
