/** R13 of the modules that tenants can order without the switch in the Tenant. */
import { proveDrift } from "./drift.ts";
import { moduleOrders } from "./orders.ts";

// Not Etcd: of two Secrets that it makes empty cert-manager may make one again first when it is deleted by hand, and then it is
// taken for somebody else's. A known fault.
proveDrift(moduleOrders.filter(({ app }) => app.kind !== "Etcd"));
