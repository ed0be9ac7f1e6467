/**
 * Health of objects whose operators have words of their own for it.
 */
import { valueAt } from "../kube/json.ts";
import type { KubeObject } from "../kube/object.ts";
import { conditionOf, current, failed, type Health, inProgress, mustReport, numberAt, said } from "./health-words.ts";

export function altinity(object: KubeObject): Health {
  const value = valueAt(object, "status", "status");
  if (value === "Completed") return current;
  if (value === "Aborted") return failed("the operator gave up");
  return inProgress(typeof value === "string" ? `status ${value}` : "the operator has not reported yet");
}

/** Strimzi says that something is not ready by a condition of that name. */
export function strimzi(object: KubeObject): Health {
  const not = conditionOf(object, "NotReady");
  return not?.status === "True" ? inProgress(said(not, "not ready")) : mustReport(object);
}

export function rabbitmqCluster(object: KubeObject): Health {
  const reconciled = conditionOf(object, "ReconcileSuccess");
  const replicas = conditionOf(object, "AllReplicasReady");
  if (reconciled === undefined || replicas === undefined) return inProgress("the operator has not reported yet");
  if (reconciled.status !== "True") return inProgress(said(reconciled, "the operator could not apply the spec"));
  return replicas.status === "True" ? current : inProgress(said(replicas, "not all servers are ready"));
}

/** Members are replaced one by one: it serves while a majority is there, and is whole when all are. */
export function etcdCluster(object: KubeObject): Health {
  const available = conditionOf(object, "Available");
  const wanted = valueAt(object, "spec", "replicas") === undefined ? 3 : numberAt(object, "spec", "replicas");
  if (available === undefined) return inProgress("the operator has not reported yet");
  // Parked: nothing serves, and nothing is to.
  if (wanted > 0 && available.status !== "True") return inProgress(said(available, "not available"));
  const ready = numberAt(object, "status", "readyMembers");
  return ready === wanted ? current : inProgress(`${ready} of ${wanted} members are ready`);
}

/** The operator's own word for it; silence means that it has not looked yet, or that the store it should make is missing. */
export function victoriametrics(object: KubeObject): Health {
  const value = valueAt(object, "status", "updateStatus");
  const reason = valueAt(object, "status", "reason");
  if (value === "operational") return current;
  if (value === "failed") return failed(typeof reason === "string" && reason !== "" ? reason : "the operator failed");
  return inProgress(typeof value === "string" && value !== "" ? value : "the operator has not reported yet");
}

export function grafana(object: KubeObject): Health {
  const [stage, status] = [valueAt(object, "status", "stage"), valueAt(object, "status", "stageStatus")];
  if (stage === "complete" && status === "success") return current;
  const message = valueAt(object, "status", "lastMessage");
  if (status === "failed") return failed(typeof message === "string" && message !== "" ? message : `stage ${stage}`);
  return inProgress(typeof stage === "string" ? `stage ${stage}` : "the operator has not reported yet");
}

/** As Helm says it, in front of why. */
const unreachable = "Kubernetes cluster unreachable";

/**
 * Helm's own failures are told as such, though Flux tries again: without another chart or other values it ends the same. But a tenant's
 * cluster that does not answer yet will.
 */
export function helmRelease(object: KubeObject): Health {
  const ready = conditionOf(object, "Ready");
  const gaveUp = ready?.status === "False" && !ready.isOld && /^(Install|Upgrade|Test)Failed$/.test(ready.reason);
  return gaveUp && !ready.message.includes(unreachable) ? failed(said(ready, ready.reason)) : mustReport(object);
}

/** The operator writes OK, or what went wrong; it tries again for ever. */
export function keycloak(object: KubeObject): Health {
  const value = valueAt(object, "status", "value");
  if (value === "OK") return current;
  return inProgress(typeof value === "string" && value !== "" ? value : "the operator has not reported yet");
}

/** FoundationDB's operator says which generation it is done with. */
export function foundationDb(object: KubeObject): Health {
  const reconciled = valueAt(object, "status", "generations", "reconciled");
  const { generation = 0 } = object.metadata;
  if (typeof reconciled !== "number") return inProgress("the operator has not reported yet");
  if (reconciled < generation)
    return inProgress(`the operator is done with generation ${reconciled}, not ${generation}`);
  const isAvailable = valueAt(object, "status", "health", "available");
  return object.kind === "FoundationDBCluster" && isAvailable !== true
    ? inProgress("the database is not available")
    : current;
}

/** Its phase says no more than that the operator looks after it. */
export function openSearch(object: KubeObject): Health {
  const [phase, health] = [valueAt(object, "status", "phase"), valueAt(object, "status", "health")];
  if (phase !== "RUNNING")
    return inProgress(typeof phase === "string" ? `phase ${phase}` : "the operator has not reported yet");
  if (valueAt(object, "status", "initialized") !== true) return inProgress("its nodes have not found each other yet");
  return health === "green" || health === "yellow"
    ? current
    : inProgress(`health ${typeof health === "string" ? health : "unknown"}`);
}

/** Percona's words: an error may pass, but not that of a restore. */
export function percona(object: KubeObject): Health {
  const state = valueAt(object, "status", "state");
  if (state === "ready") return current;
  if (typeof state !== "string" || state === "") return inProgress("the operator has not reported yet");
  const said = valueAt(object, "status", object.kind === "PerconaServerMongoDB" ? "message" : "error");
  const why = typeof said === "string" && said !== "" ? `state ${state}: ${said}` : `state ${state}`;
  const isLost = object.kind !== "PerconaServerMongoDB" && (state === "error" || state === "rejected");
  return isLost ? failed(why) : inProgress(why);
}
