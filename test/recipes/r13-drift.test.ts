/** R13: what a person changes by hand comes back by one write, what is not ours stays, and what a person deletes is made again. */
import { proveDrift } from "./drift.ts";
import { orders } from "./orders.ts";

proveDrift(orders);
