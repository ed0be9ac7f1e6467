/**
 * What is refused beyond the types of fields.
 */
import { growOnly, type PlacedRule, requires, rule } from "../../sdk/spec.ts";

/** The servers' Services are named by it. */
export const storageName = "^[a-z]([-a-z0-9]*[a-z0-9])?$";

/** As the operator takes it. */
export const retentionPattern = "^[0-9]+(h|d|w|y)?$";

export const durationPattern = "^([0-9]+([.][0-9]+)?(ms|s|m|h|d|w|y))+$";

/** A quantity above 0. */
export const sizePattern = "^([0-9]*[1-9][0-9]*([.][0-9]*)?|[0-9]*[.][0-9]*[1-9][0-9]*)([KMGTPE]i|[kMGTPE])?$";

/** A domain, or nothing. */
export const domainPattern = "^([a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$";

export const emailPattern = "^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}$";

/** As growOnly(), over a field that is always a text: the API server counts less for it. */
function storageGrows(path: string): PlacedRule {
  return rule({
    path,
    rule: "quantity(self).compareTo(quantity(oldSelf)) >= 0",
    message: `${path} can grow but not shrink; to make it smaller, add a storage of another name`,
  });
}

export const rules: readonly PlacedRule[] = [
  storageGrows("metricsStorages.*.storage"),
  storageGrows("logsStorages.*.storage"),
  growOnly("alerta.storage"),
  growOnly("grafana.db.size"),
  rule({ path: "logsStorages", rule: "size(self) > 0", message: "logsStorages needs at least one storage" }),
  requires({
    path: "oidc",
    when: "size(self.customConfig.secretRef.name) > 0",
    must: "size(self.users) == 0",
    message:
      "customConfig.secretRef and users exclude each other: the list needs settings that only customConfig.config lets the platform add",
  }),
  requires({
    path: "oidc",
    when: "self.mode == 'CustomConfig'",
    must: "(size(self.customConfig.config) > 0) != (size(self.customConfig.secretRef.name) > 0)",
    message: "mode CustomConfig needs exactly one of customConfig.config and customConfig.secretRef.name",
  }),
  rule({
    path: "oidc.customConfig.config.*",
    // Another line would be another setting, or another section.
    rule: "type(self) != string || !self.matches('[\\\\r\\\\n]')",
    message: "a setting of oidc.customConfig.config is one line",
  }),
];
