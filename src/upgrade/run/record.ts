/**
 * The one object in which an upgrade is written down, and by which controllers know what is theirs. Each change is a write of
 * exactly the version that was read: two runs at the same time do not mix.
 */
import { UpgradeRun, type UpgradeRunSpec } from "../../contracts/internal-cozystack-io.ts";
import type { CallOptions, Client } from "../../kube/client.ts";
import { CozystackError, isApiError } from "../../kube/errors.ts";
import { runPlace, runSpecOf } from "../gate.ts";

export interface RunRecord {
  readonly spec: UpgradeRunSpec;
  /** Writes what follows from it, and is that from then on. @throws RunTaken */
  write(next: (spec: UpgradeRunSpec) => UpgradeRunSpec): Promise<void>;
}

/** Another run writes the same record. */
export class RunTaken extends CozystackError {
  constructor() {
    super(
      "UpgradeTaken",
      `${runPlace.namespace}/${runPlace.name}: somebody else has written the record of this upgrade meanwhile`,
      "Let only one run go on; what is written down holds, and the next run continues there.",
    );
  }
}

/** The object is not one that this program wrote. */
export class RunUnreadable extends CozystackError {
  constructor() {
    super(
      "UpgradeUnreadable",
      `UpgradeRun ${runPlace.namespace}/${runPlace.name} says something that this program does not understand`,
      "Use the version that wrote it. Until then no controller acts.",
    );
  }
}

/** What is written down now; undefined where nothing is. A kind that is not served has nothing. */
export async function readRun(client: Client, call: CallOptions = {}): Promise<UpgradeRunSpec | undefined> {
  try {
    const object = await client.get(UpgradeRun, runPlace.name, runPlace.namespace, call);
    if (object === undefined) return undefined;
    const spec = runSpecOf(object);
    if (spec === undefined) throw new RunUnreadable();
    return spec;
  } catch (error) {
    if (isApiError(error, "Unserved")) return undefined;
    throw error;
  }
}

/** Opens the record: as it is, or as `begin` says of what was there. */
export async function openRun(
  client: Client,
  begin: (before: UpgradeRunSpec | undefined) => UpgradeRunSpec,
  call: CallOptions = {},
): Promise<RunRecord> {
  let object = await client.get(UpgradeRun, runPlace.name, runPlace.namespace, call);
  const before = object === undefined ? undefined : runSpecOf(object);
  if (object !== undefined && before === undefined) throw new RunUnreadable();
  const store = async (spec: UpgradeRunSpec): Promise<void> => {
    const { name, namespace } = runPlace;
    try {
      object =
        object === undefined
          ? await client.create(UpgradeRun, UpgradeRun(name, { namespace, spec }), call)
          : await client.replace(UpgradeRun, UpgradeRun(name, { metadata: object.metadata, spec }), call);
    } catch (error) {
      if (isApiError(error, "Conflict", "AlreadyExists")) throw new RunTaken();
      throw error;
    }
  };
  let spec = begin(before);
  if (spec !== before) await store(spec);
  return {
    get spec() {
      return spec;
    },
    async write(next) {
      const following = next(spec);
      await store(following);
      spec = following;
    },
  };
}
