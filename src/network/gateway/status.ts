/**
 * What a tenant's gateway says of itself.
 */
import { type GatewayObject, hostPart, type TenantGatewayObject } from "./names.ts";

type Status = NonNullable<TenantGatewayObject["status"]>;
type ListenerStatus = NonNullable<Status["listeners"]>[number];

interface Conditioned {
  readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message: string }[];
}

const conditionOf = (object: Conditioned | undefined, type: string) =>
  object?.conditions?.find((one) => one.type === type);
const isTrue = (object: Conditioned | undefined, type: string): boolean => conditionOf(object, type)?.status === "True";

function listenerStatus(
  listener: GatewayObject["spec"]["listeners"][number],
  live: GatewayObject | undefined,
): ListenerStatus {
  const said = live?.status?.listeners?.find(({ name }) => name === listener.name);
  const reason =
    said === undefined
      ? "Pending"
      : !isTrue(said, "Accepted")
        ? "NotAccepted"
        : !isTrue(said, "Programmed")
          ? "NotProgrammed"
          : undefined;
  const certificateName = listener.tls?.certificateRefs?.[0]?.name;
  return {
    name: listener.name,
    ready: reason === undefined,
    ...(listener.hostname === undefined ? {} : { hostname: listener.hostname }),
    ...(certificateName === undefined ? {} : { certificateName }),
    ...(reason === undefined ? {} : { reason }),
  };
}

interface Verdict {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

function verdictOf(live: GatewayObject | undefined, listeners: readonly ListenerStatus[]): Verdict {
  const not = (reason: string, message: string): Verdict => ({ status: "False", reason, message });
  const says = (type: string) => conditionOf(live?.status, type)?.message || "its data plane has not reported yet";
  if (!isTrue(live?.status, "Accepted")) return not("GatewayNotAccepted", says("Accepted"));
  if (!isTrue(live?.status, "Programmed")) return not("GatewayNotProgrammed", says("Programmed"));
  const waiting = listeners
    .filter(({ ready, reason }) => !ready && reason !== "OutsideDomain")
    .map(({ name, hostname }) => hostname ?? name);
  if (waiting.length > 0) return not("ListenersNotReady", `not served yet: ${waiting.join(", ")}`);
  return { status: "True", reason: "Reconciled", message: "The gateway serves its domain" };
}

function withVerdict(gateway: TenantGatewayObject, verdict: Verdict, now: string): Pick<Status, "conditions"> {
  const before = gateway.status?.conditions?.find(({ type }) => type === "Ready");
  const observedGeneration = gateway.metadata.generation ?? 0;
  const lastTransitionTime = before?.status === verdict.status ? before.lastTransitionTime : now;
  const message = verdict.message.slice(0, 32_768);
  return { conditions: [{ type: "Ready", ...verdict, message, observedGeneration, lastTransitionTime }] };
}

/** Host names that have no listener, and why. */
export interface Unserved {
  readonly hostname: string;
  readonly reason: "TooManyListeners" | "OutsideDomain";
}

/** `live`: the Gateway as it is, with its data plane's word. Names outside the domain do not keep it from being ready. */
export function statusOf(
  gateway: TenantGatewayObject,
  wanted: GatewayObject,
  live: GatewayObject | undefined,
  left: readonly Unserved[],
  now: string,
): Status {
  const served = wanted.spec.listeners.map((listener) => listenerStatus(listener, live));
  const unserved = left.map(({ hostname, reason }) => ({
    name: `https-${hostPart(hostname)}`,
    hostname,
    ready: false,
    reason,
  }));
  const listeners = [...served, ...unserved];
  const verdict = verdictOf(live, listeners);
  return {
    observedGeneration: gateway.metadata.generation ?? 0,
    ...withVerdict(gateway, verdict, now),
    listeners,
  };
}

/** The status of a gateway that cannot be made; listeners stay as they were. */
export function failedStatus(gateway: TenantGatewayObject, message: string, now: string): Status {
  return {
    ...gateway.status,
    observedGeneration: gateway.metadata.generation ?? 0,
    ...withVerdict(gateway, { status: "False", reason: "ReconcileError", message }, now),
  };
}
