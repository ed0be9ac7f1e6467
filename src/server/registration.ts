/**
 * How the API server finds us: a Service, an APIService with the authority that signed our certificate, and what other
 * handlers on the same listener need. Kept as they should be while the server runs.
 */

import type { Client } from "../kube/client.ts";
import { APIService, ClusterRole, ClusterRoleBinding, Service } from "../kube/core-kinds.ts";
import type { Strings } from "../kube/kinds/common-fields.ts";
import type { Store } from "../kube/store.ts";
import { backoff, type World } from "../kube/world.ts";
import { applyBase, type BaseObject } from "../platform/apply-base.ts";
import { coreApi } from "./group.ts";

/** The Service by which the API server reaches the listener. */
export type Reach =
  /** This process, on the API server's own machine: the embedded engine. */
  | { readonly by: "loopback" }
  /** The pods with these labels, on this port of theirs. */
  | { readonly by: "pods"; readonly selector: Strings; readonly targetPort: number };

/** Where the listener is, as APIServices and webhook configurations name it. */
export interface Location {
  readonly namespace: string;
  readonly service: string;
  readonly port: number;
  /** Base64 of PEM. */
  readonly caBundle: string;
}

/** More objects that must be there, made anew whenever the location changes. */
export type Registration = (location: Location) => readonly BaseObject[];

export const apiServiceName = `${coreApi.version}.${coreApi.group}`;

const rbac = "rbac.authorization.k8s.io";

const namespacesRead = "tenantnamespaces-read";

/** What may be done with the API: everybody sees which tenants it has to do with; tenants' people plan. */
function roles(): readonly BaseObject[] {
  const rules = [{ apiGroups: [coreApi.group], resources: ["tenantnamespaces"], verbs: ["get", "list", "watch"] }];
  return [
    { kind: ClusterRole, object: ClusterRole(namespacesRead, { rules }) },
    {
      kind: ClusterRole,
      object: ClusterRole("cozy:tenant:plan:base", {
        labels: Object.fromEntries(
          ["", "-admin", "-super-admin"].map((level) => [`rbac.cozystack.io/aggregate-to-tenant${level}`, "true"]),
        ),
        rules: [{ apiGroups: [coreApi.group], resources: ["applicationplans"], verbs: ["get", "create", "patch"] }],
      }),
    },
  ];
}

function binding(): BaseObject {
  return {
    kind: ClusterRoleBinding,
    object: ClusterRoleBinding(namespacesRead, {
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: namespacesRead },
      subjects: [{ apiGroup: rbac, kind: "Group", name: "system:authenticated" }],
    }),
  };
}

function service({ namespace, service: name, port }: Location, reach: Reach): BaseObject {
  const spec =
    reach.by === "loopback"
      ? // A ClusterIP needs kube-proxy, and endpoints may not be loopback addresses.
        { type: "ExternalName" as const, externalName: "localhost", ports: [{ name: "https", port }] }
      : { selector: reach.selector, ports: [{ name: "https", port, targetPort: reach.targetPort }] };
  return { kind: Service, object: Service(name, { namespace, spec }) };
}

function apiService({ namespace, service: name, port, caBundle }: Location): BaseObject {
  return {
    kind: APIService,
    object: APIService(apiServiceName, {
      spec: {
        ...coreApi,
        groupPriorityMinimum: 1000,
        versionPriority: 15,
        service: { namespace, name, port },
        caBundle,
      },
    }),
  };
}

export interface RegistrarOptions {
  readonly client: Client;
  readonly world: World;
  readonly signal: AbortSignal;
  readonly reach: Reach;
  readonly location: () => Location;
  /** May grow: what is added is written with the next `register`. */
  readonly registrations: readonly Registration[];
  /** Of {@link apiServiceName} only. */
  readonly apiServices: Store<APIService>;
  readonly onError: (error: unknown) => void;
}

/** Registered this long without being removed: the next removal counts as the first. Milliseconds. */
const stable = 600_000;

export interface Registrar {
  /** Resolves when the objects are as they should be. */
  register(): Promise<void>;
}

/** Writes the objects whenever they differ. An APIService that the guard removed comes back later and later. */
export function registrar(options: RegistrarOptions): Registrar {
  const { client, world, signal, reach, location, registrations, apiServices, onError } = options;
  let running: Promise<void> | undefined;
  let again = false;
  let removals = 0;
  let registeredAt = 0;

  const write = async (): Promise<void> => {
    const at = location();
    const calls = { client, world, signal };
    await applyBase([service(at, reach), ...roles()], calls);
    await applyBase([binding()], calls);
    // Last: from here on requests come.
    await applyBase([apiService(at), ...registrations.flatMap((registration) => registration(at))], calls);
    registeredAt = world.monotonic();
  };

  const register = (): Promise<void> => {
    again = running !== undefined;
    running ??= write().finally(() => {
      running = undefined;
      if (again && !signal.aborted) later(0);
    });
    return running;
  };

  const later = (ms: number): void => {
    world
      .sleep(ms, signal)
      .then(register)
      .catch((error: unknown) => {
        if (signal.aborted) return;
        onError(error);
        later(5000);
      });
  };

  apiServices.subscribe(({ type }) => {
    // What is there at first is what register() looks at.
    if (registeredAt === 0 || running !== undefined) return;
    if (type !== "deleted") return later(0);
    removals = world.monotonic() - registeredAt > stable ? 0 : removals + 1;
    later(removals === 0 ? 0 : backoff(removals, 1000, 300_000, world.random));
  });
  return { register };
}
