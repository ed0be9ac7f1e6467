export {
  DaemonSet,
  type DaemonSet as DaemonSetObject,
  Deployment,
  type Deployment as DeploymentObject,
  ReplicaSet,
  type ReplicaSet as ReplicaSetObject,
  StatefulSet,
  type StatefulSet as StatefulSetObject,
} from "../kube/kinds/workloads.ts";
