/**
 * Object stores whose volumes are under other names than they would use: refused when they are ordered or changed, by a
 * look at the volumes. Render refuses the same for what was stored before.
 */
import { createHash } from "node:crypto";
import { chartLabel, namingProblem, volumeNames } from "../apps/seaweedfs/naming.ts";
import type { Client } from "../kube/client.ts";
import {
  PersistentVolumeClaim,
  StatefulSet,
  ValidatingWebhookConfiguration,
  type Webhook,
} from "../kube/core-kinds.ts";
import { CozystackError } from "../kube/errors.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { appsGroup } from "../sdk/define-app.ts";
import { adoptionGroup, callerIn } from "../sdk/policies/callers.ts";
import { json } from "./answer.ts";
import { parseObject } from "./incoming.ts";
import type { Route } from "./listener.ts";
import type { Registration } from "./registration.ts";

/** Name of the configuration. */
export const NAMES_CONFIGURATION = "cozystack-object-store-names";

/** Seconds that the API server waits; refused when no answer came. */
const TIMEOUT_SECONDS = 5;

const spec = (object: string) => `${object}.?spec`;

const matchConditions = [
  // Labels, finalizers and annotations may change whatever the volumes are called: some are the way out.
  { name: "spec-changes", expression: `request.operation == 'CREATE' || ${spec("object")} != ${spec("oldObject")}` },
  { name: "has-volumes", expression: `object.?spec.?topology.orValue('Simple') != 'Client'` },
  { name: "not-being-deleted", expression: "!has(object.metadata.deletionTimestamp)" },
  // The platform's controllers and who takes over an installation make the object; it says itself what is wrong.
  {
    name: "of-people",
    expression: `!(${callerIn([adoptionGroup, "system:serviceaccounts:cozy-system"])})`,
  },
];

function configuration(clientConfig: Webhook["clientConfig"]): ValidatingWebhookConfiguration {
  const webhook: Webhook = {
    name: "object-store-names.cozystack.io",
    clientConfig,
    rules: [
      {
        apiGroups: [appsGroup],
        apiVersions: ["*"],
        operations: ["CREATE", "UPDATE"],
        resources: ["seaweedfses"],
        scope: "Namespaced",
      },
    ],
    matchConditions,
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    sideEffects: "None",
    admissionReviewVersions: ["v1"],
    timeoutSeconds: TIMEOUT_SECONDS,
  };
  return ValidatingWebhookConfiguration(NAMES_CONFIGURATION, { webhooks: [webhook] });
}

/** The part of a {@link Client} that a review needs. */
export type NamesClient = Pick<Client, "listMetadata">;

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** Answers one review. Never rejects: what could not be looked at is refused, and says so. */
export async function reviewNames(client: NamesClient, review: unknown): Promise<object> {
  const request = valueAt(review, "request");
  const answer = (status?: object) => ({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    response: {
      uid: text(valueAt(request, "uid")),
      allowed: status === undefined,
      ...(status === undefined ? {} : { status }),
    },
  });
  const name = text(valueAt(request, "object", "metadata", "name"));
  const namespace = text(valueAt(request, "namespace"));
  if (!isRecord(valueAt(request, "object")) || name === "" || namespace === "")
    return answer({ code: 400, reason: "BadRequest", message: "the review has no object with a name and a namespace" });
  try {
    const labelSelector = Object.entries(chartLabel)
      .map(([key, value]) => `${key}=${value}`)
      .join(",");
    const [claims, sets] = await Promise.all([
      client.listMetadata(PersistentVolumeClaim, { namespace }),
      client.listMetadata(StatefulSet, { namespace, labelSelector }),
    ]);
    const problem = namingProblem(volumeNames(name, { claims: claims.items, sets: sets.items }));
    if (problem === undefined) return answer();
    const causes = [{ reason: "FieldValueInvalid", field: "metadata.name", message: problem.message }];
    return answer({
      code: 422,
      reason: "Invalid",
      message: `metadata.name: ${problem.message}. ${problem.remedy}`,
      details: { name, group: appsGroup, kind: "SeaweedFS", causes },
    });
  } catch (error) {
    const why = error instanceof CozystackError ? error.message : String(error);
    return answer({
      code: 503,
      reason: "ServiceUnavailable",
      message: `the names of the store's volumes cannot be looked at now, so nothing is changed: ${why}`,
      details: { retryAfterSeconds: 1 },
    });
  }
}

export interface ObjectStoreNamesOptions {
  readonly client: NamesClient;
  /** Part of the path: the API server shows webhooks no credentials, and nobody else is to ask about tenants' volumes. */
  readonly secret: string;
}

/** What the server takes: a route and a registration. */
export function objectStoreNames({ client, secret }: ObjectStoreNamesOptions): {
  readonly route: Route;
  readonly registration: Registration;
} {
  const hidden = createHash("sha256").update(`object-store-names:${secret}`).digest("hex").slice(0, 40);
  const path = `/admission/object-store-names/${hidden}`;
  return {
    route: {
      path,
      for: "anyone",
      handle: async (incoming) => json(await reviewNames(client, parseObject(await incoming.body()))),
    },
    registration: ({ namespace, service, port, caBundle }) => [
      {
        kind: ValidatingWebhookConfiguration,
        object: configuration({ service: { namespace, name: service, port, path }, caBundle }),
      },
    ],
  };
}
