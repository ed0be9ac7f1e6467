/**
 * P10: orders of etcd that still ask for backups in the way that is gone.
 */
import { valueAt } from "../../kube/json.ts";
import { applicationRef, applicationsOf } from "./applications.ts";
import { type Classified, defineCheck } from "./check.ts";
import { valueIn } from "./source.ts";

const kind = "Etcd";
const plan = "Order a Plan with a BackupClass whose strategy for Etcd is the one you want, such as cozy-default.";

const ordersSource = applicationsOf({ kind, plural: "etcds" }, (spec) => ({
  backs: valueAt(spec, "backup", "enabled") === true,
}));

export const etcdBackupCheck = defineCheck({
  id: "P10",
  title: "Backup values of etcd",
  severity: "warning",
  why: "1.6 takes no notice of backup values of etcd: they stay in the order, and the backups end without a word.",
  remedy: [plan],
  sources: { orders: ordersSource },
  classify({ orders }): Classified {
    const all = valueIn(orders, []);
    return {
      applies: all.length > 0,
      findings: all
        .filter(({ backs }) => backs)
        .map((order) => ({
          object: applicationRef(kind, order),
          severity: "warning",
          what: "asks for backups by spec.backup, which nobody makes any more",
          remedy: [
            plan,
            `kubectl patch etcds.apps.cozystack.io ${order.name} -n ${order.namespace} --type merge -p '{"spec":{"backup":null}}'`,
          ],
        })),
    };
  },
});
