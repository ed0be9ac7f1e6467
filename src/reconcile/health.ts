/**
 * How far a live object is on its way to what its spec says: the rules of kstatus, and those of kinds that need their own.
 */
import { isRecord, valueAt } from "../kube/json.ts";
import { groupOf, type KubeObject, type ObjectRef, refOf } from "../kube/object.ts";

/** `failed` means that waiting will not help; everything that may still come right is `inProgress`. */
export type Health =
  | { readonly is: "current" }
  | { readonly is: "inProgress" | "failed" | "terminating"; readonly why: string };

/** One object that is not there yet. */
export interface NotCurrent {
  readonly object: ObjectRef;
  readonly health: Exclude<Health, { readonly is: "current" }>;
}

const current: Health = { is: "current" };
const inProgress = (why: string): Health => ({ is: "inProgress", why });
const failed = (why: string): Health => ({ is: "failed", why });

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  /** Whether it speaks of the spec as it is now, as far as it says. */
  readonly isOld: boolean;
}

function conditionOf(object: KubeObject, type: string): Condition | undefined {
  const conditions = valueAt(object, "status", "conditions");
  const found = Array.isArray(conditions)
    ? conditions.find((entry) => isRecord(entry) && entry["type"] === type)
    : undefined;
  if (!isRecord(found)) return undefined;
  const text = (key: string) => (typeof found[key] === "string" ? found[key] : "");
  const observed = found["observedGeneration"];
  const isOld = typeof observed === "number" && observed < (object.metadata.generation ?? 0);
  return { status: text("status"), reason: text("reason"), message: text("message"), isOld };
}

function said(condition: Condition, otherwise: string): string {
  return condition.message || condition.reason || otherwise;
}

function numberAt(object: KubeObject, ...path: readonly string[]): number {
  const value = valueAt(object, ...path);
  return typeof value === "number" ? value : 0;
}

/** Health of one live object. A status that speaks of an older generation says nothing about this one. */
export function healthOf(object: KubeObject): Health {
  if (object.metadata.deletionTimestamp !== undefined) return { is: "terminating", why: "is being deleted" };
  const observed = valueAt(object, "status", "observedGeneration");
  const { generation } = object.metadata;
  if (typeof observed === "number" && generation !== undefined && observed < generation) {
    return inProgress(`its controller has seen generation ${observed}, not ${generation}`);
  }
  const rule = RULES[`${groupOf(object.apiVersion)}/${object.kind}`];
  if (rule !== undefined) return rule(object);
  return groupOf(object.apiVersion) === "apps.cozystack.io" ? mustReport(object) : byConditions(object);
}

/** Those of the objects that are not current. */
export function notCurrent(objects: readonly KubeObject[]): readonly NotCurrent[] {
  return objects.flatMap((object) => {
    const health = healthOf(object);
    return health.is === "current" ? [] : [{ object: refOf(object), health }];
  });
}

function byConditions(object: KubeObject): Health {
  const stalled = conditionOf(object, "Stalled");
  if (stalled?.status === "True") return failed(said(stalled, "stalled"));
  const reconciling = conditionOf(object, "Reconciling");
  if (reconciling?.status === "True") return inProgress(said(reconciling, "reconciling"));
  const ready = conditionOf(object, "Ready");
  if (ready?.isOld === true) return inProgress("its controller has not seen its last change yet");
  if (ready === undefined || ready.status === "True") return current;
  return inProgress(said(ready, "not ready"));
}

/** For kinds whose controller always reports: silence means that it has not looked yet. */
function mustReport(object: KubeObject): Health {
  if (conditionOf(object, "Ready") === undefined) return inProgress("its controller has not reported yet");
  return byConditions(object);
}

function phase(...good: readonly string[]): (object: KubeObject) => Health {
  return (object) => {
    const value = valueAt(object, "status", "phase");
    if (typeof value === "string" && good.includes(value)) return current;
    if (value === "Failed" || value === "Lost") return failed(`phase ${value}`);
    return inProgress(typeof value === "string" ? `phase ${value}` : "its controller has not reported yet");
  };
}

function flag(path: readonly string[], name: string): (object: KubeObject) => Health {
  return (object) => (valueAt(object, ...path) === true ? current : inProgress(`${name} is not yet true`));
}

function workload(ready: (object: KubeObject) => number, wanted: (object: KubeObject) => number) {
  return (object: KubeObject): Health => {
    if (valueAt(object, "status", "observedGeneration") === undefined) {
      return inProgress("its controller has not reported yet");
    }
    const progressing = conditionOf(object, "Progressing");
    if (progressing?.reason === "ProgressDeadlineExceeded") return failed(said(progressing, "deadline exceeded"));
    const [have, want] = [ready(object), wanted(object)];
    return have < want ? inProgress(`${have} of ${want} pods are ready and up to date`) : current;
  };
}

function specReplicas(object: KubeObject): number {
  return valueAt(object, "spec", "replicas") === undefined ? 1 : numberAt(object, "spec", "replicas");
}

function deployment(object: KubeObject): Health {
  const updated = Math.min(
    numberAt(object, "status", "updatedReplicas"),
    numberAt(object, "status", "availableReplicas"),
  );
  return workload(() => updated, specReplicas)(object);
}

function statefulSet(object: KubeObject): Health {
  const rolling = valueAt(object, "spec", "updateStrategy", "type") !== "OnDelete";
  const updated = numberAt(object, "status", "updatedReplicas");
  const ready = numberAt(object, "status", "readyReplicas");
  const partition = numberAt(object, "spec", "updateStrategy", "rollingUpdate", "partition");
  const counted = rolling && partition === 0 ? Math.min(updated, ready) : ready;
  return workload(() => counted, specReplicas)(object);
}

function daemonSet(object: KubeObject): Health {
  const ready = Math.min(
    numberAt(object, "status", "updatedNumberScheduled"),
    numberAt(object, "status", "numberAvailable"),
  );
  return workload(
    () => ready,
    (live) => numberAt(live, "status", "desiredNumberScheduled"),
  )(object);
}

function job(object: KubeObject): Health {
  const end = conditionOf(object, "Failed");
  if (end?.status === "True") return failed(said(end, "the Job failed"));
  return conditionOf(object, "Complete")?.status === "True" ? current : inProgress("the Job has not finished");
}

function pod(object: KubeObject): Health {
  const value = valueAt(object, "status", "phase");
  if (value === "Succeeded") return current;
  if (value === "Failed") return failed("the pod failed");
  return conditionOf(object, "Ready")?.status === "True" ? current : inProgress("the pod is not ready");
}

function altinity(object: KubeObject): Health {
  const value = valueAt(object, "status", "status");
  if (value === "Completed") return current;
  if (value === "Aborted") return failed("the operator gave up");
  return inProgress(typeof value === "string" ? `status ${value}` : "the operator has not reported yet");
}

function virtualMachine(object: KubeObject): Health {
  const strategy = valueAt(object, "spec", "runStrategy");
  const stopped = strategy === "Halted" || valueAt(object, "spec", "running") === false;
  const status = valueAt(object, "status", "printableStatus");
  const shown = typeof status === "string" ? status : "not reported yet";
  if (stopped) return status === "Stopped" ? current : inProgress(`machine is ${shown}`);
  return valueAt(object, "status", "ready") === true ? current : inProgress(`machine is ${shown}`);
}

function monitor(object: KubeObject): Health {
  if (valueAt(object, "status", "operational") === true) return current;
  const available = numberAt(object, "status", "availableReplicas");
  const least = numberAt(object, "spec", "minReplicas");
  // No other words where pods are missing: each that differ are a write of the application's status.
  if (available >= least) return inProgress("what it watches is not counted yet");
  return inProgress(`${available} of at least ${least} pods are available`);
}

function customResourceDefinition(object: KubeObject): Health {
  const names = conditionOf(object, "NamesAccepted");
  if (names?.status === "False") return failed(said(names, "its names are taken"));
  return conditionOf(object, "Established")?.status === "True" ? current : inProgress("not yet served");
}

/** Strimzi says that something is not ready by a condition of that name. */
function strimzi(object: KubeObject): Health {
  const not = conditionOf(object, "NotReady");
  return not?.status === "True" ? inProgress(said(not, "not ready")) : mustReport(object);
}

function rabbitmqCluster(object: KubeObject): Health {
  const reconciled = conditionOf(object, "ReconcileSuccess");
  const replicas = conditionOf(object, "AllReplicasReady");
  if (reconciled === undefined || replicas === undefined) return inProgress("the operator has not reported yet");
  if (reconciled.status !== "True") return inProgress(said(reconciled, "the operator could not apply the spec"));
  return replicas.status === "True" ? current : inProgress(said(replicas, "not all servers are ready"));
}

/** Members are replaced one by one: it serves while a majority is there, and is whole when all are. */
function etcdCluster(object: KubeObject): Health {
  const available = conditionOf(object, "Available");
  const wanted = valueAt(object, "spec", "replicas") === undefined ? 3 : numberAt(object, "spec", "replicas");
  if (available === undefined) return inProgress("the operator has not reported yet");
  // Parked: nothing serves, and nothing is to.
  if (wanted > 0 && available.status !== "True") return inProgress(said(available, "not available"));
  const ready = numberAt(object, "status", "readyMembers");
  return ready === wanted ? current : inProgress(`${ready} of ${wanted} members are ready`);
}

/** The operator's own word for it; silence means that it has not looked yet, or that the store it should make is missing. */
function victoriametrics(object: KubeObject): Health {
  const value = valueAt(object, "status", "updateStatus");
  const reason = valueAt(object, "status", "reason");
  if (value === "operational") return current;
  if (value === "failed") return failed(typeof reason === "string" && reason !== "" ? reason : "the operator failed");
  return inProgress(typeof value === "string" && value !== "" ? value : "the operator has not reported yet");
}

function grafana(object: KubeObject): Health {
  const [stage, status] = [valueAt(object, "status", "stage"), valueAt(object, "status", "stageStatus")];
  if (stage === "complete" && status === "success") return current;
  const message = valueAt(object, "status", "lastMessage");
  if (status === "failed") return failed(typeof message === "string" && message !== "" ? message : `stage ${stage}`);
  return inProgress(typeof stage === "string" ? `stage ${stage}` : "the operator has not reported yet");
}

/** Helm's own failures are told as such, though Flux tries again: without another chart or other values it ends the same. */
function helmRelease(object: KubeObject): Health {
  const ready = conditionOf(object, "Ready");
  const gaveUp = ready?.status === "False" && !ready.isOld && /^(Install|Upgrade|Test)Failed$/.test(ready.reason);
  return gaveUp ? failed(said(ready, ready.reason)) : mustReport(object);
}

/** The operator writes OK, or what went wrong; it tries again for ever. */
function keycloak(object: KubeObject): Health {
  const value = valueAt(object, "status", "value");
  if (value === "OK") return current;
  return inProgress(typeof value === "string" && value !== "" ? value : "the operator has not reported yet");
}

/** FoundationDB's operator says which generation it is done with. */
function foundationDb(object: KubeObject): Health {
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
function openSearch(object: KubeObject): Health {
  const [phase, health] = [valueAt(object, "status", "phase"), valueAt(object, "status", "health")];
  if (phase !== "RUNNING")
    return inProgress(typeof phase === "string" ? `phase ${phase}` : "the operator has not reported yet");
  if (valueAt(object, "status", "initialized") !== true) return inProgress("its nodes have not found each other yet");
  return health === "green" || health === "yellow"
    ? current
    : inProgress(`health ${typeof health === "string" ? health : "unknown"}`);
}

/** Percona's words: an error may pass, but not that of a restore. */
function percona(object: KubeObject): Health {
  const state = valueAt(object, "status", "state");
  if (state === "ready") return current;
  if (typeof state !== "string" || state === "") return inProgress("the operator has not reported yet");
  const said = valueAt(object, "status", object.kind === "PerconaServerMongoDB" ? "message" : "error");
  const why = typeof said === "string" && said !== "" ? `state ${state}: ${said}` : `state ${state}`;
  const isLost = object.kind !== "PerconaServerMongoDB" && (state === "error" || state === "rejected");
  return isLost ? failed(why) : inProgress(why);
}

/** By `group/kind`. A kind without a rule is judged by its conditions. */
const RULES: Readonly<Record<string, (object: KubeObject) => Health>> = {
  "apps.foundationdb.org/FoundationDBBackup": foundationDb,
  "apps.foundationdb.org/FoundationDBCluster": foundationDb,
  "apps/Deployment": deployment,
  "apps/StatefulSet": statefulSet,
  "apps/DaemonSet": daemonSet,
  "batch/Job": job,
  "/Pod": pod,
  "/Namespace": phase("Active"),
  "/PersistentVolumeClaim": phase("Bound"),
  "apiextensions.k8s.io/CustomResourceDefinition": customResourceDefinition,
  "cdi.kubevirt.io/DataVolume": phase("Succeeded"),
  "clickhouse.altinity.com/ClickHouseInstallation": altinity,
  "clickhouse-keeper.altinity.com/ClickHouseKeeperInstallation": altinity,
  "cozystack.io/WorkloadMonitor": monitor,
  "etcd-operator.cozystack.io/EtcdCluster": etcdCluster,
  "grafana.integreatly.org/Grafana": grafana,
  "gateway.cozystack.io/TenantGateway": mustReport,
  "helm.toolkit.fluxcd.io/HelmRelease": helmRelease,
  "internal.cozystack.io/TenantProjection": projection,
  "k8s.mariadb.com/Database": mustReport,
  "k8s.mariadb.com/Grant": mustReport,
  "k8s.mariadb.com/MariaDB": mustReport,
  "k8s.mariadb.com/User": mustReport,
  "kafka.strimzi.io/Kafka": strimzi,
  "kafka.strimzi.io/KafkaTopic": strimzi,
  "kamaji.clastix.io/DataStore": flag(["status", "ready"], "ready"),
  "kubeovn.io/Subnet": mustReport,
  "kubeovn.io/Vpc": flag(["status", "standby"], "standby"),
  "kubevirt.io/VirtualMachine": virtualMachine,
  "objectstorage.k8s.io/BucketAccess": flag(["status", "accessGranted"], "accessGranted"),
  "objectstorage.k8s.io/BucketClaim": flag(["status", "bucketReady"], "bucketReady"),
  "operator.victoriametrics.com/VLCluster": victoriametrics,
  "operator.victoriametrics.com/VMAgent": victoriametrics,
  "operator.victoriametrics.com/VMAlert": victoriametrics,
  "operator.victoriametrics.com/VMAlertmanager": victoriametrics,
  "operator.victoriametrics.com/VMCluster": victoriametrics,
  "opensearch.opster.io/OpenSearchCluster": openSearch,
  "postgresql.cnpg.io/Cluster": mustReport,
  "psmdb.percona.com/PerconaServerMongoDB": percona,
  "psmdb.percona.com/PerconaServerMongoDBRestore": percona,
  "rabbitmq.com/Permission": mustReport,
  "rabbitmq.com/RabbitmqCluster": rabbitmqCluster,
  "rabbitmq.com/User": mustReport,
  "rabbitmq.com/Vhost": mustReport,
  "v1.edp.epam.com/KeycloakClient": keycloak,
  "v1.edp.epam.com/KeycloakClientScope": keycloak,
};

// What a tenant may see of a certificate does not decide whether its database works.
function projection(): Health {
  return current;
}
