/**
 * What a tenant's people try, one test each: refused by their rights as they are, and by admission policies should an
 * administrator ever give them more. All parts share one cluster (isolation/people.ts).
 */
import "./isolation/machine.ts";
import "./isolation/other-tenants.ts";
import "./isolation/own-limits.ts";
import "./isolation/hosts.ts";
import "./isolation/virtual-machines.ts";
// Last: it has the controllers at work.
import "./isolation/named-secret.ts";
