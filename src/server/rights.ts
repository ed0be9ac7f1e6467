/**
 * What a caller may do elsewhere in the API, asked of the API server.
 */
import type { Client } from "../kube/client.ts";
import { defineKind } from "../kube/define-kind.ts";
import type { AnyKind, KubeObject } from "../kube/object.ts";
import type { Caller } from "./incoming.ts";
import { StatusError } from "./status.ts";

interface SubjectAccessReview extends KubeObject {
  readonly spec: {
    readonly user: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra: Readonly<Record<string, readonly string[]>>;
    readonly resourceAttributes: {
      readonly group: string;
      readonly version: string;
      readonly resource: string;
      readonly namespace?: string;
      readonly name?: string;
      readonly verb: string;
    };
  };
  readonly status?: { readonly allowed: boolean };
}

const SubjectAccessReview = defineKind<SubjectAccessReview>({
  group: "authorization.k8s.io",
  version: "v1",
  kind: "SubjectAccessReview",
  plural: "subjectaccessreviews",
  namespaced: false,
});

/** Something that a caller wants to do. */
export interface Action {
  readonly kind: AnyKind;
  readonly verb: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** Whether RBAC, or whatever authorizes in this cluster, lets the caller do it. */
export async function mayDo(client: Client, caller: Caller, action: Action, signal: AbortSignal): Promise<boolean> {
  const { kind, verb, namespace, name } = action;
  const { user, uid, groups, extra } = caller;
  const review = await client.create(
    SubjectAccessReview,
    SubjectAccessReview("", {
      spec: {
        user,
        ...(uid === undefined ? {} : { uid }),
        groups,
        extra,
        resourceAttributes: {
          group: kind.group,
          version: kind.version,
          resource: kind.plural,
          verb,
          ...(namespace === undefined ? {} : { namespace }),
          ...(name === undefined ? {} : { name }),
        },
      },
    }),
    { signal },
  );
  return review.status?.allowed === true;
}

/** What the API server would say. */
export function forbidden({ user }: Caller, { kind, verb, namespace, name }: Action): StatusError {
  const subject = { group: kind.group, plural: kind.plural, ...(name === undefined ? {} : { name }) };
  const object = `${kind.plural}.${kind.group}${name === undefined ? "" : ` ${JSON.stringify(name)}`}`;
  const where = namespace === undefined ? "at the cluster scope" : `in the namespace ${JSON.stringify(namespace)}`;
  const what = `cannot ${verb} resource "${kind.plural}" in API group "${kind.group}" ${where}`;
  return new StatusError("Forbidden", `${object} is forbidden: User ${JSON.stringify(user)} ${what}`, { subject });
}
