/**
 * What the workload stores keep: of pods, which there are many of, only what is counted.
 */
import { Pod } from "../../kube/kinds/workloads.ts";
import type { KubeObject } from "../../kube/object.ts";
import { isOfKind } from "../view.ts";

/** To be given to `openStores` of the workload controller. */
export function workloadTrim<T extends KubeObject>(object: T): T;
// Only optional fields, and containers' unread ones, are dropped: the overload states it.
export function workloadTrim(object: KubeObject): KubeObject {
  if (!isOfKind(Pod, object)) return object;
  const { containers, initContainers, overhead } = object.spec;
  const { phase, conditions = [] } = object.status ?? {};
  const bare = (container: Pod["spec"]["containers"][number]) => ({
    name: container.name,
    ...(container.resources === undefined ? {} : { resources: container.resources }),
    ...(container.restartPolicy === undefined ? {} : { restartPolicy: container.restartPolicy }),
  });
  const spec = {
    containers: containers.map(bare),
    ...(initContainers === undefined ? {} : { initContainers: initContainers.map(bare) }),
    ...(overhead === undefined ? {} : { overhead }),
  };
  const status = {
    ...(phase === undefined ? {} : { phase }),
    conditions: conditions.filter(({ type }) => type === "Ready"),
  };
  const { apiVersion, kind, metadata } = object;
  return Object.assign({ apiVersion, kind, metadata }, { spec, status });
}
