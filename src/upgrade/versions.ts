/**
 * Versions of Cozystack, and the stamp that an installation carries: the number of the first migration that it has not had.
 * Migration N is called slot N; it takes an installation from stamp N to stamp N + 1.
 */
import { compareVersions as compareTexts } from "../kube/version-order.ts";

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
  /** As `rc.1` of `1.6.0-rc.1`. Such a version comes before the one without. */
  readonly candidate?: string;
}

/** `1.5.4`, `v1.5.4`, `1.6.0-rc.1`; what follows a `+` means nothing. Undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  const match = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, major, minor, patch, candidate] = match;
  const numbers = { major: Number(major), minor: Number(minor), patch: Number(patch) };
  return candidate === undefined ? numbers : { ...numbers, candidate };
}

/** The version in the tag of an image, `HOST:PORT/PATH:TAG@DIGEST`; undefined for a tag that is none. */
export function imageVersion(image: string): Version | undefined {
  return parseVersion(/:([^:/@]+)(?:@.*)?$/.exec(image)?.[1] ?? "");
}

/** Without a leading `v`. */
export function versionText({ major, minor, patch, candidate }: Version): string {
  return `${major}.${minor}.${patch}${candidate === undefined ? "" : `-${candidate}`}`;
}

/** Below 0 when `a` comes before `b`. */
export function compareVersions(a: Version, b: Version): number {
  return compareTexts(versionText(a), versionText(b));
}

/** Whether the version is one of the line `major.minor`. */
export const isOfLine = (version: Version, major: number, minor: number): boolean =>
  version.major === major && version.minor === minor;

/** The version whose API this program serves, and to which it takes an installation. */
export const compatibleVersion: Version = { major: 1, minor: 6, patch: 2 };

/** The stamp after all migrations that this program has: those of 1.6, and two that came after 1.6.2. */
export const ownStamp = 56;

/** The object that carries the stamp, under `data.version`. */
export const stampObject = { namespace: "cozy-system", name: "cozystack-version", key: "version" } as const;

/** Stamps of versions, from the one named on. What came before 1.5.0 had lower ones. */
const stamps: readonly { readonly from: Version; readonly stamp: number }[] = [
  { from: { major: 1, minor: 6, patch: 0 }, stamp: 54 },
  { from: { major: 1, minor: 5, patch: 4 }, stamp: 46 },
  { from: { major: 1, minor: 5, patch: 0 }, stamp: 45 },
];

/** The stamp of a whole installation of that version; undefined for versions before 1.5 and for those after 1.6. */
export function stampOf(version: Version): number | undefined {
  if (!isOfLine(version, 1, 5) && !isOfLine(version, 1, 6)) return undefined;
  // A candidate of 1.5.4 may or may not have its migrations.
  const { candidate: _, ...released } = version;
  return stamps.find(({ from }) => compareVersions(released, from) >= 0)?.stamp;
}

/** The lowest stamp of 1.5.0 and of 1.6.0. */
export const stamp15 = 45;
export const stamp154 = 46;
export const stamp16 = 54;

/** What an installation with that stamp is, for people. */
export function stampText(stamp: number): string {
  if (stamp < stamp15) return "a version before 1.5.0";
  if (stamp === stamp15) return "a version from 1.5.0 to 1.5.3";
  if (stamp === stamp154) return "1.5.4";
  if (stamp < stamp16) return "an upgrade to 1.6 that has not ended";
  return stamp === stamp16
    ? "a version of 1.6"
    : stamp <= ownStamp
      ? "a version after 1.6.2"
      : "a version not known here";
}

/** What `data.version` says; undefined when it is no number of a migration. */
export function parseStamp(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,6}$/.test(text.trim()) ? Number(text) : undefined;
}

/** The slots that take an installation from one stamp to another, in order. */
export function slotsBetween(stamp: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - stamp) }, (_, index) => stamp + index);
}
