/**
 * Kinds of the core group, with the names of their objects' types.
 */
export {
  ConfigMap,
  type ConfigMap as ConfigMapObject,
  Endpoints,
  type Endpoints as EndpointsObject,
  Event,
  type Event as EventObject,
  LimitRange,
  type LimitRange as LimitRangeObject,
  Namespace,
  type Namespace as NamespaceObject,
  Node,
  type Node as NodeObject,
  ResourceQuota,
  type ResourceQuota as ResourceQuotaObject,
  Secret,
  type Secret as SecretObject,
  Service,
  type Service as ServiceObject,
  ServiceAccount,
  type ServiceAccount as ServiceAccountObject,
} from "../kube/kinds/core.ts";
export {
  PersistentVolume,
  type PersistentVolume as PersistentVolumeObject,
  PersistentVolumeClaim,
  type PersistentVolumeClaim as PersistentVolumeClaimObject,
} from "../kube/kinds/storage.ts";
export { Pod, type Pod as PodObject } from "../kube/kinds/workloads.ts";
