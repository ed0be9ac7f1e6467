/**
 * Plans made by the platform's server, for people who may not read everything that an application is made from: it plans with
 * its own rights, after it has judged theirs.
 */
import type { Client } from "../kube/client.ts";
import { defineKind } from "../kube/define-kind.ts";
import { CozystackError, isApiError } from "../kube/errors.ts";
import type { KubeObject, ObjectRef } from "../kube/object.ts";
import type { Plan } from "../reconcile/change.ts";
import type { ObjectProblem } from "../reconcile/problem.ts";

/** What the server tells of a document. */
export interface ServerPlan {
  readonly plan?: Plan;
  readonly waiting?: { readonly on: ObjectRef; readonly why: string };
  readonly refused?: readonly ObjectProblem[];
  readonly confirm?: string;
  readonly inherited?: readonly ObjectRef[];
}

interface ApplicationPlanObject extends KubeObject {
  readonly spec: { readonly application: KubeObject };
  readonly status?: ServerPlan;
}

const ApplicationPlan = defineKind<ApplicationPlanObject>({
  group: "core.cozystack.io",
  version: "v1alpha1",
  kind: "ApplicationPlan",
  plural: "applicationplans",
  namespaced: true,
});

/** Nobody plans for those who cannot plan themselves. */
class NoPlanError extends CozystackError {
  constructor(cause: unknown) {
    super(
      "Forbidden",
      "a plan needs to read what only administrators may, and no server of the platform makes one",
      "Ask an administrator to run the server, or apply without a plan: `kubectl apply -f FILE`.",
      { cause },
    );
  }
}

/** @throws ApiError what the API server says to the document */
export async function serverPlan(client: Client, application: KubeObject): Promise<ServerPlan> {
  const { name, namespace = "" } = application.metadata;
  try {
    const made = await client.create(ApplicationPlan, ApplicationPlan(name, { namespace, spec: { application } }));
    const { plan, waiting, refused, confirm, inherited } = made.status ?? {};
    return {
      ...(plan === undefined ? {} : { plan }),
      ...(waiting === undefined ? {} : { waiting }),
      ...(refused === undefined ? {} : { refused }),
      ...(confirm === undefined ? {} : { confirm }),
      ...(inherited === undefined ? {} : { inherited }),
    };
  } catch (error) {
    throw isApiError(error, "Unserved", "ServiceUnavailable") ? new NoPlanError(error) : error;
  }
}
