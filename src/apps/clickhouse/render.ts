/** From a ClickHouse specification to its objects. */
import { keptVolumes } from "../../contracts/impact.ts";
import type { Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { changing, type Rendered } from "../../sdk/manifest.ts";
import { checkBackup } from "./check.ts";
import { instanceLabel } from "./claims.ts";
import { dump } from "./dump.ts";
import { installation, installationNeed } from "./installation.ts";
import { keeper, keeperNeed, keeperScrape } from "./keeper.ts";
import { checkNames, keeperLabel } from "./names.ts";
import { apiNeed, sidecarNeeds, sidecarSecrets } from "./sidecar.ts";
import type { Input, Spec } from "./spec.ts";
import { accounts, credentials, credentialsNeed, credentialsSecret } from "./users.ts";

const layout = "spec.configuration.clusters.*.layout";

export function needs(input: Input) {
  return {
    credentials: credentialsNeed(input),
    api: apiNeed(input),
    backup: sidecarNeeds(input.spec),
    installation: installationNeed(input),
    keeper: keeperNeed(input),
  };
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  checkNames(input);
  checkBackup(input.spec.backup);
  const { release, spec, needs: known } = input;
  const all = accounts(spec, known.credentials);
  return [
    credentials(release, all),
    ...sidecarSecrets(input, known.api),
    changing(installation(input, all, known.installation), {
      impacts: keptVolumes(spec, `${layout}.shardsCount`, `${layout}.replicasCount`),
    }),
    ...(spec.clickhouseKeeper.enabled
      ? [
          changing(keeper(input, known.keeper?.spec?.templates?.volumeClaimTemplates ?? []), {
            impacts: keptVolumes(spec, `${layout}.replicasCount`),
          }),
          keeperScrape(input),
        ]
      : []),
    ...dump(input),
  ];
}

export function monitors({ release, spec }: Input): readonly Monitor[] {
  const { clickhouseKeeper } = spec;
  return [
    {
      name: release,
      // Upstream counts the servers of one shard only.
      replicas: spec.replicas * spec.shards,
      minReplicas: 1,
      selector: instanceLabel(release),
      preset: spec.resourcesPreset,
    },
    ...(clickhouseKeeper.enabled
      ? [
          {
            name: keeperLabel(release),
            replicas: clickhouseKeeper.replicas,
            minReplicas: 1,
            selector: { app: keeperLabel(release) },
            preset: clickhouseKeeper.resourcesPreset,
          },
        ]
      : []),
  ];
}

/** Data, logs and the Keepers' volumes, and the passwords of the users in them. */
export function claims({ release }: Input): readonly StorageClaim[] {
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: instanceLabel(release) },
    { group: "", kind: "Secret", names: [credentialsSecret(release)] },
  ];
}
