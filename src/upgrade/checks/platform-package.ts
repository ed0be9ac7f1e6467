/**
 * The platform's configuration, as its Package has it.
 */
import { valueAt } from "../../kube/json.ts";
import { oneOf } from "./source.ts";

export const packageName = "cozystack.cozystack-platform";

/** What of the configuration matters to checks. */
export interface PlatformSettings {
  /** Whether etcd is to be adopted without a snapshot. */
  readonly skipsEtcdSnapshot: boolean;
  /** Registries that are mirrored. */
  readonly mirrors: readonly string[];
}

export const platformSource = oneOf(
  { group: "cozystack.io", plural: "packages" },
  { name: packageName },
  (object): PlatformSettings => {
    const values = valueAt(object, "spec", "components", "platform", "values");
    const mirrors = valueAt(values, "registries", "mirrors");
    return {
      skipsEtcdSnapshot: valueAt(values, "migrations", "etcdAdoptSkipBackup") === true,
      mirrors: typeof mirrors === "object" && mirrors !== null ? Object.keys(mirrors).sort() : [],
    };
  },
);
