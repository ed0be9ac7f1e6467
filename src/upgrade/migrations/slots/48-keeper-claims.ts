/**
 * 48: volumes of ClickHouse Keeper, which are cleaned up by a label.
 */
import { PersistentVolumeClaim } from "../../../contracts/core.ts";
import { KeeperInstallation } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editsOf, label, noticedByNobody } from "../steps.ts";
import type { MigrationWrite } from "../writes.ts";

const suffix = "-keeper";

export const keeperClaims: Migration = {
  id: 48,
  title: "label the volumes of ClickHouse Keeper with their application",
  why: "volumes without the label stay behind when the application is deleted",
  where: "claims of ClickHouseKeeperInstallations named *-keeper",
  fails: { reads: "open", writes: "open" },
  onceDone: { is: "looksAgain", because: "upstream takes a list that could not be read for an empty one" },
  precondition: whereServed(KeeperInstallation),
  steps: [
    {
      title: "label claims",
      async plan(cluster) {
        const keepers = await cluster.list(KeeperInstallation);
        const writes: MigrationWrite[] = [];
        for (const { metadata } of keepers?.items ?? []) {
          const { name, namespace } = metadata;
          if (!name.endsWith(suffix) || namespace === undefined) continue;
          const claims = await cluster.list(PersistentVolumeClaim, { namespace });
          const own = (claims?.items ?? []).filter((claim) => claim.metadata.name.startsWith(`default-chk-${name}-`));
          const release = name.slice(0, -suffix.length);
          writes.push(
            ...editsOf(
              { kind: PersistentVolumeClaim, items: own },
              (claim) => label(claim, "app.kubernetes.io/instance", release),
              `it is a volume of ${name}`,
              noticedByNobody,
            ),
          );
        }
        return writes;
      },
    },
  ],
};
