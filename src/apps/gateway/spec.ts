/** What the platform says about a tenant's gateway. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, listOf, text } from "../../sdk/spec.ts";

/** First part of a host name. */
const service = Type.String({ pattern: "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$" });

export const GatewaySpec = appSpec({
  gatewayClassName: text({
    default: "cilium",
    pattern: "^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$",
    description: "GatewayClass of the Gateway: who carries its traffic.",
  }),
  tlsPassthroughServices: listOf(service, {
    default: ["api", "vm-exportproxy", "cdi-uploadproxy"],
    maxItems: 32,
    description: "Names below the tenant's domain whose connections reach their service as they are, not decrypted.",
  }),
});

export type Spec = Static<typeof GatewaySpec.schema>;
export type Input = AppInput<Spec>;
