/**
 * The path planner: by which versions an installation gets to another, and why.
 */
import {
  compareVersions,
  compatibleVersion,
  isOfLine,
  ownStamp,
  slotsBetween,
  stamp15,
  stamp154,
  stampOf,
  stampText,
  type Version,
  versionText,
} from "./versions.ts";

export interface PathStart {
  /** Undefined: the installation has none. */
  readonly stamp: number | undefined;
  /** Of what runs there; undefined where nothing says it. */
  readonly version: Version | undefined;
}

export interface PathStep {
  readonly from: string;
  readonly to: string;
  /** Who does it: the tools of Cozystack that are installed, or this program. */
  readonly by: "upstream" | "cozystack";
  /** Migrations of the step, by number. */
  readonly slots: readonly number[];
  readonly reasons: readonly string[];
}

/** Why there is no path, and what to do. */
export interface PathRefusal {
  readonly code: "AlreadyBeyond" | "FaultyTarget" | "StampMissing" | "StampUnknown" | "TooOld" | "UnknownTarget";
  readonly message: string;
  readonly remedy: string;
}

export interface Path {
  readonly steps: readonly PathStep[];
  readonly refusals: readonly PathRefusal[];
  /** What the planner noticed, without being in its way. */
  readonly notes: readonly string[];
}

/** Faults of releases that nobody notices when they strike, by the version that mends them. */
const silentFaults: readonly { readonly mendedIn: Version; readonly fault: string }[] = [
  {
    mendedIn: { major: 1, minor: 6, patch: 1 },
    fault: "the audit of volume names of object stores calls a cluster clean that it could not read",
  },
  {
    mendedIn: { major: 1, minor: 6, patch: 2 },
    fault: "Velero's definitions stay at the version that was installed first, so that backups stop",
  },
  {
    mendedIn: { major: 1, minor: 6, patch: 2 },
    fault: "the default backup strategies and the BackupStorageLocation are left out for good if the bucket came late",
  },
  {
    mendedIn: { major: 1, minor: 6, patch: 2 },
    fault: "kubeovn-webhook goes on with its old certificate after a renewal, and no pod of a tenant can be created",
  },
];

const first16: Version = { major: 1, minor: 6, patch: 0 };
const last15: Version = { major: 1, minor: 5, patch: 4 };
const first14: Version = { major: 1, minor: 4, patch: 0 };

/** The stamp of an installation that has come to `to`. This program has migrations beyond those of 1.6. */
function stampAfter(to: Version): number {
  return isOfLine(to, 1, 6) ? ownStamp : (stampOf(to) ?? ownStamp);
}

/** Faults that a version has and a later one of its line mends. */
export function faultsOf(version: Version): readonly string[] {
  if (!isOfLine(version, 1, 6)) return [];
  return silentFaults.filter(({ mendedIn }) => compareVersions(version, mendedIn) < 0).map(({ fault }) => fault);
}

function targetRefusals(to: Version): readonly PathRefusal[] {
  const faults = faultsOf(to);
  const best = versionText(compatibleVersion);
  if (faults.length > 0)
    return [
      {
        code: "FaultyTarget",
        message: `${versionText(to)} has faults that nobody notices when they strike: ${faults.join("; ")}`,
        remedy: `Go to ${best}, which mends them.`,
      },
    ];
  if (compareVersions(to, last15) >= 0 && compareVersions(to, compatibleVersion) <= 0) return [];
  return [
    {
      code: "UnknownTarget",
      message: `${versionText(to)} is not known here, so that nothing can be said of an upgrade to it`,
      remedy: `Go to ${best}.`,
    },
  ];
}

function startRefusals({ stamp, version }: PathStart, to: Version): readonly PathRefusal[] {
  if (stamp === undefined)
    return [
      {
        code: "StampMissing",
        message: "the installation has no stamp, so that migrations would be taken as done which were not",
        remedy: "Find out which migrations it has had, and write the ConfigMap cozy-system/cozystack-version anew.",
      },
    ];
  if (stamp > stampAfter(to) || (version !== undefined && compareVersions(version, to) > 0)) {
    const is = version === undefined ? stampText(stamp) : versionText(version);
    return [
      {
        code: "AlreadyBeyond",
        message: `the installation is at stamp ${stamp} (${is}), which is beyond ${versionText(to)}: migrations have no way back`,
        remedy: "Choose a version that is not older than the installed one.",
      },
    ];
  }
  if (stamp >= stamp15) return [];
  if (version === undefined)
    return [
      {
        code: "StampUnknown",
        message: `stamp ${stamp} is of ${stampText(stamp)}, and nothing in the cluster says of which`,
        remedy:
          "See with which version the release cozystack in cozy-system was installed. From 1.4 the way is direct; from an older one upgrade to the last 1.4 first.",
      },
    ];
  if (compareVersions(version, first14) >= 0) return [];
  return [
    {
      code: "TooOld",
      message: `${versionText(version)} is older than 1.4.0, from where the way to ${versionText(to)} is known`,
      remedy: "Upgrade to the last version of 1.4 first, by its own instructions.",
    },
  ];
}

/** Whether 1.5.4 has to come first. Where 1.6 is installed already there is no way back to it. */
function lacks154({ stamp, version }: PathStart): boolean {
  return stamp === stamp15 && (version === undefined || isOfLine(version, 1, 5));
}

function startText({ stamp, version }: PathStart): string {
  return version === undefined ? stampText(stamp ?? 0) : versionText(version);
}

function notesOf({ stamp, version }: PathStart): readonly string[] {
  const expected = version === undefined ? undefined : stampOf(version);
  if (stamp === undefined || expected === undefined || expected === stamp) return [];
  const is = versionText(version ?? first16);
  return stamp < expected
    ? [`${is} is installed, but the stamp is ${stamp} instead of ${expected}: its migrations have not ended`]
    : [`${is} is installed, but the stamp is ${stamp}, which is of ${stampText(stamp)}`];
}

/** The way of an installation to `to`. Without steps and refusals it is there already. */
export function planPath(start: PathStart, to: Version): Path {
  const refusals = [...targetRefusals(to), ...startRefusals(start, to)];
  const notes = notesOf(start);
  if (refusals.length > 0 || start.stamp === undefined) return { steps: [], refusals, notes };
  const steps: PathStep[] = [];
  let stamp = start.stamp;
  let from = startText(start);
  if (lacks154(start)) {
    steps.push({
      from,
      to: versionText(last15),
      by: "upstream",
      slots: slotsBetween(stamp, stamp154),
      reasons: [
        "its slot 45 pins the bootstrap templates of tenants' clusters: without the pin they are deleted while the machines made from them are being replaced",
        "its slot 45 also hands databases of object stores over to the release that keeps them",
      ],
    });
    stamp = stamp154;
    from = versionText(last15);
  }
  const target = stampAfter(to);
  const arrived = start.version === undefined ? stamp === ownStamp : from === versionText(to);
  if (!arrived || stamp < target) steps.push(lastStep(from, to, stamp, target));
  return { steps, refusals, notes };
}

function lastStep(from: string, to: Version, stamp: number, target: number): PathStep {
  const slots = slotsBetween(stamp, target);
  const reasons = [
    ...(slots.length === 0 ? [] : [`migrations ${slots[0]} to ${slots.at(-1)} have not been had`]),
    ...(stamp < stamp15
      ? ["1.4 named volumes of object stores as 1.6 does, so that nothing is gained by a 1.5 on the way"]
      : []),
    ...(isOfLine(to, 1, 6)
      ? [`not to an earlier 1.6: those have up to ${silentFaults.length} faults that nobody notices when they strike`]
      : []),
  ];
  return { from, to: versionText(to), by: isOfLine(to, 1, 6) ? "cozystack" : "upstream", slots, reasons };
}
