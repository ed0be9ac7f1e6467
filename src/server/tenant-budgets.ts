/**
 * The budget gate on the listener: a route for the API server's reviews, and the configuration that has it ask.
 */
import { ValidatingWebhookConfiguration } from "../kube/core-kinds.ts";
import type { Gate } from "../tenancy/quota/gate.ts";
import { reviewBudget } from "../tenancy/quota/review.ts";
import { type GateAddress, gateConfiguration, gatePath } from "../tenancy/quota/webhook.ts";
import { json } from "./answer.ts";
import { parseObject } from "./incoming.ts";
import type { Route } from "./listener.ts";
import type { Registration } from "./registration.ts";
import { StatusError } from "./status.ts";

export interface TenantBudgetsOptions {
  /** Undefined until it may decide. */
  readonly gate: () => Pick<Gate, "decide"> | undefined;
  /** See `gateSecret`. */
  readonly secret: string;
  /** See GateAddress. */
  readonly only?: Pick<GateAddress, "name" | "namespaceSelector">;
}

/** What {@link startServer} takes: `routes` and `registrations`. */
export function tenantBudgets({ gate, secret, only = {} }: TenantBudgetsOptions): {
  readonly route: Route;
  readonly registration: Registration;
} {
  const path = gatePath(secret);
  return {
    route: {
      path,
      for: "anyone",
      async handle(incoming) {
        const review = parseObject(await incoming.body());
        const deciding = gate();
        if (deciding === undefined)
          throw new StatusError("ServiceUnavailable", "the budgets are being read; try again");
        return json(await reviewBudget(deciding, review));
      },
    },
    registration: ({ namespace, service, port, caBundle }) => [
      {
        kind: ValidatingWebhookConfiguration,
        object: gateConfiguration({
          clientConfig: { service: { namespace, name: service, port, path }, caBundle },
          ...only,
        }),
      },
    ],
  };
}
