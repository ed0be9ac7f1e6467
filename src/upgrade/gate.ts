/**
 * Which tenants' applications controllers of one version may work on. While an upgrade is under way, each tenant belongs to one
 * version: to the new one from its wave on, to the former before. Pure; closed where anything is unclear.
 */
import { UpgradeRun, type UpgradeRunSpec } from "../contracts/internal-cozystack-io.ts";
import { isRecord } from "../kube/json.ts";
import type { KubeObject } from "../kube/object.ts";
import { compareVersions } from "../kube/version-order.ts";
import type { NewerDefinitions } from "../platform/stored-fields.ts";

/** Where the upgrade under way is written down. There is one at a time. */
export const runPlace = { namespace: "cozy-system", name: "current" } as const;

/**
 * Whether controllers may work on the applications of a tenant, by the namespace that it owns. Other namespaces are the platform's,
 * which goes first.
 */
export type Gate = (namespace: string) => boolean;

/** Nobody may. */
export const closed: Gate = () => false;

const open: Gate = () => true;

/**
 * The gate of controllers of a version. `run`: the object of the upgrade; undefined where it is known that there is none.
 */
export function gateOf(run: KubeObject | undefined, version: string): Gate {
  if (run === undefined) return open;
  const spec = runSpecOf(run);
  // Somebody wrote something that we do not understand: nobody knows what is released.
  if (spec === undefined) return closed;
  // A former version would put everything back.
  if (spec.phase === "done") return compareVersions(version, spec.to) >= 0 ? open : closed;
  const isNew = spec.to === version;
  // A third version has no part in it.
  if (!isNew && spec.from !== undefined && spec.from !== version) return closed;
  const others = spec.waves.find(({ tenants }) => tenants === undefined);
  return (namespace) => {
    const named = spec.waves.find(({ tenants }) => tenants?.includes(namespace) === true);
    const wave = named ?? (namespace.startsWith("tenant-") ? others : spec.waves[0]);
    const isReleased = wave !== undefined && wave.phase !== "held";
    return isNew ? isReleased : !isReleased;
  };
}

/**
 * What a version does about definitions of a newer one: they stay where an upgrade to that was taken back to this. Nobody else may
 * install an older version over a newer one.
 */
export function newerDefinitions(run: UpgradeRunSpec | undefined, version: string): NewerDefinitions {
  const isBack = run?.phase === "done" && run.to === version && run.from !== undefined;
  return isBack && compareVersions(run.from ?? "", version) > 0 ? "keep" : "refuse";
}

/** What an object of the kind says; undefined for one of another shape. */
export function runSpecOf(run: KubeObject): UpgradeRunSpec | undefined {
  return isRun(run) ? run.spec : undefined;
}

const wavePhases: ReadonlySet<unknown> = new Set(["held", "released", "healthy"]);

function isRun(run: KubeObject): run is ReturnType<typeof UpgradeRun> {
  if (run.kind !== UpgradeRun.kind || !("spec" in run) || !isRecord(run.spec)) return false;
  const { to, phase, waves } = run.spec;
  if (typeof to !== "string" || (phase !== "rolling" && phase !== "halted" && phase !== "done")) return false;
  return Array.isArray(waves) && waves.every(isWave);
}

function isWave(wave: unknown): boolean {
  if (!isRecord(wave) || typeof wave["name"] !== "string" || !wavePhases.has(wave["phase"])) return false;
  const { tenants } = wave;
  return tenants === undefined || (Array.isArray(tenants) && tenants.every((tenant) => typeof tenant === "string"));
}
