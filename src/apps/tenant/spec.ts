import Type, { type Static } from "typebox";
import { appSpec, flag, mapOf, quantity, text } from "../../sdk/spec.ts";

/** Names of resources as a ResourceQuota takes them, with a domain or without; another text would be refused when it is applied. */
const resourceName = "^([a-z0-9]([-.a-z0-9]*[a-z0-9])?/)?[A-Za-z0-9]([-_.A-Za-z0-9]{0,61}[A-Za-z0-9])?$";

export const TenantSpec = appSpec({
  host: text({
    default: "",
    maxLength: 253,
    description: "DNS domain of the tenant. Empty: a subdomain of the parent's. Only administrators may set it.",
  }),
  etcd: flag({ default: false, description: "Run an etcd of the tenant's own instead of the inherited one." }),
  monitoring: flag({ default: false, description: "Run a monitoring stack of the tenant's own." }),
  ingress: flag({ default: false, description: "Run an ingress controller of the tenant's own." }),
  // No default: absent and false both mean "inherit", and a stored default could never change its meaning.
  gateway: Type.Optional(
    Type.Boolean({ description: "Run a Gateway of the tenant's own. Absent or false: the parent's is used." }),
  ),
  seaweedfs: flag({ default: false, description: "Run an object store of the tenant's own." }),
  computeplane: flag({ default: false, description: "Run a compute plane of the tenant's own." }),
  schedulingClass: text({
    default: "",
    maxLength: 63,
    description: "Scheduling class of the tenant's pods. Used only where no ancestor has set one.",
  }),
  resourceQuotas: mapOf(quantity({ description: "Amount." }), {
    maxProperties: 64,
    keyPattern: resourceName,
    description: "Amounts that everything in the tenant may use together, by resource.",
  }),
});

export type TenantValues = Static<typeof TenantSpec.schema>;
