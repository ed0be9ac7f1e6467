export {
  CronJob,
  type CronJob as CronJobObject,
  Job,
  type Job as JobObject,
} from "../kube/kinds/workloads.ts";
