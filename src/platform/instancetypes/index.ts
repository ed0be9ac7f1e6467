/**
 * Instance types and preferences of virtual machines, which the platform installs for all tenants.
 */
import type { KubeObject } from "../../kube/object.ts";
import { preferenceManifests } from "./guests.ts";
import { instancetypeManifests } from "./sizes.ts";

export { instancetypeManifests, preferenceManifests };

/** What `up` applies. Old ones are never removed: machines refer to them. */
export const virtualMachineSizes: readonly KubeObject[] = [...instancetypeManifests, ...preferenceManifests];
