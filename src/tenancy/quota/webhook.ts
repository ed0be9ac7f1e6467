/**
 * How the API server is told to ask the gate: only about writes in which budgets matter, and never without an answer.
 */
import { createHash } from "node:crypto";
import { ValidatingWebhookConfiguration, type Webhook } from "../../kube/core-kinds.ts";
import { isRecord } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";

/** Name of the configuration. */
export const GATE_CONFIGURATION = "cozystack-tenant-budgets";

/** Seconds that the API server waits; refused when no answer came. */
const TIMEOUT_SECONDS = 5;

/**
 * The path that the gate is served at. It holds a secret of the server's: the API server shows webhooks no credentials, and
 * whoever else reaches the listener must not be able to reserve budgets. The configuration that tells it is not readable by
 * tenants.
 */
export function gatePath(secret: string): string {
  return `/admission/tenant-budgets/${createHash("sha256").update(`tenant-budgets:${secret}`).digest("hex").slice(0, 40)}`;
}

const quotas = (object: string) => `${object}.?spec.?resourceQuotas.orValue({})`;

const matchConditions = [
  {
    name: "quotas-matter",
    expression: `request.operation == 'CREATE' ? size(${quotas("object")}) > 0 : ${quotas("object")} != ${quotas("oldObject")}`,
  },
  { name: "not-being-deleted", expression: "!has(object.metadata.deletionTimestamp)" },
];

export interface GateAddress {
  readonly clientConfig: Webhook["clientConfig"];
  /** Only these namespaces, for tests that share a cluster. Default: all. */
  readonly namespaceSelector?: Webhook["namespaceSelector"];
  /** Default {@link GATE_CONFIGURATION}. */
  readonly name?: string;
}

/** The configuration to install. */
export function gateConfiguration(address: GateAddress): ValidatingWebhookConfiguration {
  const { clientConfig, namespaceSelector, name = GATE_CONFIGURATION } = address;
  const webhook: Webhook = {
    name: "tenant-budgets.cozystack.io",
    clientConfig,
    rules: [
      {
        apiGroups: ["apps.cozystack.io"],
        apiVersions: ["*"],
        operations: ["CREATE", "UPDATE"],
        resources: ["tenants"],
        scope: "Namespaced",
      },
    ],
    matchConditions,
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    // `Some` would have the API server refuse every dry run.
    sideEffects: "NoneOnDryRun",
    admissionReviewVersions: ["v1"],
    timeoutSeconds: TIMEOUT_SECONDS,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
  };
  return ValidatingWebhookConfiguration(name, { webhooks: [webhook] });
}

/** Why writes can get past the gate; undefined where they cannot. `live` is the configuration as it is installed. */
export function bypass(live: KubeObject | undefined): string | undefined {
  if (live === undefined) return `ValidatingWebhookConfiguration ${GATE_CONFIGURATION} does not exist`;
  const said: unknown = "webhooks" in live && Array.isArray(live.webhooks) ? live.webhooks[0] : undefined;
  const [wanted] = gateConfiguration({ clientConfig: {} }).webhooks ?? [];
  if (!isRecord(said) || wanted === undefined) return `${GATE_CONFIGURATION} calls nobody`;
  const differs = (["rules", "matchConditions", "failurePolicy"] as const).find(
    (field) => JSON.stringify(sorted(said[field])) !== JSON.stringify(sorted(wanted[field])),
  );
  if (differs !== undefined) return `${GATE_CONFIGURATION} has other ${differs} than it should`;
  const narrowed = (["namespaceSelector", "objectSelector"] as const).find((field) => {
    const selector = said[field];
    return isRecord(selector) && Object.keys(selector).length > 0;
  });
  return narrowed === undefined ? undefined : `${GATE_CONFIGURATION} has a ${narrowed}`;
}

/** With keys in one order, as the API server does not keep ours. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sorted(value[key])]),
  );
}
