/** R13 of the modules that tenants can order without the switch in the Tenant. */
import { proveDrift } from "./drift.ts";
import { moduleOrders } from "./orders.ts";

proveDrift(moduleOrders);
