/**
 * Why an upgrade does not go on. What was done by then is written down, and the next run continues there.
 */
import { CozystackError } from "../../kube/errors.ts";

/** Something that was well got worse in a wave. The waves after it are not released. */
export class UpgradeHalted extends CozystackError {
  constructor(wave: string, why: string) {
    super(
      "UpgradeHalted",
      `the wave ${wave} did not come through, and nothing more is released: ${why}`,
      "Mend what the message names and run it again: it goes on with this wave. Or go back with the former version's `cozystack upgrade run --back`.",
    );
  }
}

/** A migration did not get through; nothing was released. */
export class MigrationsIncomplete extends CozystackError {
  constructor(id: number, why: string) {
    super(
      "MigrationsIncomplete",
      `migration ${id} did not get through, and nothing is released before it has: ${why}`,
      "Mend what the message names and run it again: what is done is not done twice.",
    );
  }
}

/** Another version is on its way already. */
export class UpgradeUnderWay extends CozystackError {
  constructor(to: string, version: string) {
    super(
      "UpgradeUnderWay",
      `an upgrade to version ${to} is under way, and this is ${version}`,
      `Let ${to} end it; or take it back with \`cozystack upgrade run --back\` of the version before it.`,
    );
  }
}
