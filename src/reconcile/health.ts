/**
 * How far a live object is on its way to what its spec says: the rules of kstatus, and those of kinds that need their own.
 */
import { valueAt } from "../kube/json.ts";
import { groupOf, type KubeObject, type ObjectRef, refOf } from "../kube/object.ts";
import {
  altinity,
  etcdCluster,
  foundationDb,
  grafana,
  helmRelease,
  keycloak,
  openSearch,
  percona,
  rabbitmqCluster,
  strimzi,
  victoriametrics,
} from "./health-operators.ts";
import {
  byConditions,
  conditionOf,
  current,
  failed,
  flag,
  type Health,
  inProgress,
  mustReport,
  numberAt,
  phase,
  said,
} from "./health-words.ts";

export type { Health };

/** One object that is not there yet. */
export interface NotCurrent {
  readonly object: ObjectRef;
  readonly health: Exclude<Health, { readonly is: "current" }>;
}

/** Health of one live object. A status that speaks of an older generation says nothing about this one. */
export function healthOf(object: KubeObject): Health {
  if (object.metadata.deletionTimestamp !== undefined) return { is: "terminating", why: leaving(object) };
  const observed = valueAt(object, "status", "observedGeneration");
  const { generation } = object.metadata;
  if (typeof observed === "number" && generation !== undefined && observed < generation) {
    return inProgress(`its controller has seen generation ${observed}, not ${generation}`);
  }
  const rule = RULES[`${groupOf(object.apiVersion)}/${object.kind}`];
  if (rule !== undefined) return rule(object);
  return groupOf(object.apiVersion) === "apps.cozystack.io" ? mustReport(object) : byConditions(object);
}

const inUse = "kubernetes.io/pvc-protection";

/** What is said of an object that is being deleted: with what keeps it. Of a claim in use that is the pods, and no fault. */
export function leaving({ metadata: { finalizers = [] } }: KubeObject): string {
  if (finalizers.length === 0) return "is being deleted";
  if (finalizers.every((one) => one === inUse)) return "is being deleted, and stays for as long as a pod uses it";
  return `is being deleted; finalizers: ${finalizers.join(", ")}`;
}

/** Those of the objects that are not current. */
export function notCurrent(objects: readonly KubeObject[]): readonly NotCurrent[] {
  return objects.flatMap((object) => {
    const health = healthOf(object);
    return health.is === "current" ? [] : [{ object: refOf(object), health }];
  });
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
  "cluster.x-k8s.io/Cluster": phase("Provisioned"),
  "controlplane.cluster.x-k8s.io/KamajiControlPlane": flag(["status", "ready"], "ready"),
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
