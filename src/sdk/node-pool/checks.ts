/**
 * What a pool may not say, beyond the types of its fields.
 */
import { refuse } from "../errors.ts";
import { toFloat } from "../go-number.ts";
import { isSizedByResources, type NodePool } from "./pool.ts";

/** A duration of a few parts, none of them nothing: what Cluster API and the autoscaler both read. */
const durationPattern = /^[1-9][0-9]{0,4}[smh]([0-9]{1,5}[smh]){0,2}$/;

const no = (pool: NodePool, field: string, message: string, remedy: string): never =>
  refuse({
    code: "InvalidValue",
    field: `${pool.field}.${field}`,
    message: `node group ${pool.name}: ${message}`,
    remedy,
  });

function checkPodCpu(pool: NodePool): void {
  const { podCpuLimit: limit, podCpuRequest: request } = pool;
  const set = [limit, request].some((value) => value !== undefined);
  if (!set) return;
  const field = limit === undefined ? "podCpuRequest" : "podCpuLimit";
  if (pool.instanceType !== "" && !isSizedByResources(pool)) {
    no(pool, field, "machines of an instance type cannot have another cpu", "Give resources.cpu and resources.memory.");
  }
  const [most, least] = [limit, request].map((value) => (value === undefined ? undefined : toFloat(value)));
  if ((most ?? 0) < 0 || (least ?? 0) < 0) no(pool, field, "less than no cpu", "Write a value above 0.");
  if (most === 0 && least === undefined)
    no(pool, "podCpuLimit", "a limit of 0 needs a request of 0", "Set podCpuRequest to 0 as well, or leave both out.");
  if (least === 0 && most !== undefined && most !== 0)
    no(
      pool,
      "podCpuRequest",
      "a request of 0 needs a limit of 0",
      "Set podCpuLimit to 0 as well, or raise the request.",
    );
  if (most !== undefined && least !== undefined && least > most)
    no(pool, "podCpuRequest", "the request is more than the limit", "Lower podCpuRequest or raise podCpuLimit.");
}

/** Refuses a version of Kubernetes that the machines' system does not run. */
export function checkTalos(pool: NodePool): void {
  const minor = /^v[0-9]+\.[0-9]+/.exec(pool.talos.version)?.[0];
  if (minor === "v1.13" && !/^v1\.3[1-6]$/.test(pool.version))
    no(pool, "version", `Talos ${minor} does not run Kubernetes ${pool.version}`, "Choose v1.31 to v1.36.");
}

/** Refuses what no schema can refuse. `instanceTypeExists`: whether the cluster has the instance type that is named. */
export function checkPool(pool: NodePool, instanceTypeExists: boolean): void {
  const { cpu, memory } = pool.resources;
  const half = (cpu === undefined || cpu === "") !== (memory === undefined || memory === "");
  if (cpu !== undefined && cpu !== "" && !/^[0-9]+$/.test(String(cpu)))
    no(pool, "resources.cpu", `${JSON.stringify(cpu)} is no whole number of cores`, "Write a number such as 2.");
  if (pool.instanceType !== "" && half)
    no(pool, "resources", "cpu and memory are given together", "Give both, or neither of them.");
  if (pool.instanceType !== "" && !isSizedByResources(pool) && !instanceTypeExists) {
    no(
      pool,
      "instanceType",
      `there is no instance type ${pool.instanceType}`,
      "See `kubectl get virtualmachineclusterinstancetypes`.",
    );
  }
  if (!(toFloat(pool.diskSize) > 0))
    no(pool, "diskSize", "a machine needs a disk of more than nothing", "Write a size such as 20Gi.");
  checkPodCpu(pool);
  for (const field of ["maxNodeProvisionTime", "readyUnknownTimeout", "readyFalseTimeout"] as const) {
    if (!durationPattern.test(pool[field]))
      no(pool, field, `${JSON.stringify(pool[field])} is no duration`, "Write a duration such as 90s, 20m or 1h30m.");
  }
  if (!/^[0-9]+%?$/.test(pool.maxUnhealthy))
    no(pool, "maxUnhealthy", `${JSON.stringify(pool.maxUnhealthy)} is no number of machines`, "Write 2, or 50%.");
  checkTalos(pool);
}
