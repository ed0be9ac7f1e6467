/**
 * Membership before a pod starts: a MutatingAdmissionPolicy puts the label on while the API server stores the pod, where it
 * serves such policies. They are evaluated inside the API server, and one that cannot be evaluated stops no pod; the
 * controller does the rest.
 */
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { type AnyKind, apiVersionOf, type KubeObject } from "../kube/object.ts";
import { differences } from "../reconcile/diff.ts";
import { FINALIZER, MEMBERSHIP, networkManager } from "./names.ts";

const GROUP = "admissionregistration.k8s.io";
/** Served by default from the first; by request in the second. */
const VERSIONS = ["v1", "v1beta1"] as const;
const NAME = "cozystack-securitygroup-membership";

const label = (part: string): string => `object.metadata.labels[?'apps.cozystack.io/application.${part}'].orValue('')`;
const named = "has(object.metadata.labels) && 'apps.cozystack.io/application.name' in object.metadata.labels";

/** Attached by the labels that the pod comes with. */
const attached = `${named} && has(params.spec) && has(params.spec.attachments) && params.spec.attachments.exists(a, (has(a.apiGroup) ? a.apiGroup : 'apps.cozystack.io') == ${label("group")} && a.kind == ${label("kind")} && a.name == ${label("name")})`;

/** Or made by what controls members already. */
const owned = `!(${named}) && has(params.status) && has(params.status.podOwners) && has(object.metadata.ownerReferences) && object.metadata.ownerReferences.exists(o, has(o.controller) && o.controller && o.uid in params.status.podOwners)`;

/** As the controller: from the finalizer on, and not while the group goes. */
const takesMembers = `!has(params.metadata.deletionTimestamp) && has(params.metadata.finalizers) && '${FINALIZER}' in params.metadata.finalizers`;

/** The policy and its binding, in a version that the API server serves. */
export function membershipPolicies(version: (typeof VERSIONS)[number]): readonly (readonly [AnyKind, KubeObject])[] {
  const kind = (name: string, plural: string): AnyKind => ({
    group: GROUP,
    version,
    kind: name,
    plural,
    namespaced: false,
  });
  const object = (of: AnyKind, spec: object): KubeObject =>
    Object.assign({ apiVersion: apiVersionOf(of), kind: of.kind, metadata: { name: NAME } }, { spec });
  const policy = kind("MutatingAdmissionPolicy", "mutatingadmissionpolicies");
  const binding = kind("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings");
  return [
    [
      policy,
      object(policy, {
        paramKind: { apiVersion: apiVersionOf(SecurityGroup), kind: SecurityGroup.kind },
        failurePolicy: "Ignore",
        reinvocationPolicy: "Never",
        matchConstraints: {
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
        },
        matchConditions: [
          { name: "takes-members", expression: takesMembers },
          { name: "is-a-member", expression: `(${attached}) || (${owned})` },
        ],
        mutations: [
          {
            patchType: "ApplyConfiguration",
            applyConfiguration: {
              expression: `Object{metadata: Object.metadata{labels: {'${MEMBERSHIP}' + params.metadata.name: ''}}}`,
            },
          },
        ],
      }),
    ],
    [
      binding,
      // Without a namespace: the groups of the pod's own.
      object(binding, { policyName: NAME, paramRef: { selector: {}, parameterNotFoundAction: "Allow" } }),
    ],
  ];
}

/** Applies them where they are served and differ. Whether they are served. */
export async function keepAtAdmission(client: Client, signal: AbortSignal): Promise<boolean> {
  const version = await servedVersion(client, signal);
  if (version === undefined) return false;
  for (const [kind, object] of membershipPolicies(version)) {
    const live = await client.get(kind, object.metadata.name, undefined, { signal });
    if (live !== undefined && differences(object, live).length === 0) continue;
    await client.apply(kind, object, { fieldManager: networkManager, signal });
  }
  return true;
}

async function servedVersion(client: Client, signal: AbortSignal): Promise<(typeof VERSIONS)[number] | undefined> {
  for (const version of VERSIONS) {
    const answer = await client
      .raw("GET", `/apis/${GROUP}/${version}`, undefined, { signal })
      .catch((error: unknown) => {
        if (isApiError(error, "NotFound", "Unserved")) return undefined;
        throw error;
      });
    const resources = valueAt(answer, "resources");
    const isServed = (resource: unknown) => isRecord(resource) && resource["name"] === "mutatingadmissionpolicies";
    if (Array.isArray(resources) && resources.some(isServed)) return version;
  }
  return undefined;
}
