import { cases, denied } from "../../../test/support/check-cases.ts";
import { clusterOf } from "../../../test/support/upgrade-objects.ts";
import { read } from "./source.ts";
import { machineHealthCheck, mirrorCheck } from "./tenant-machines.ts";

const clusters = (...all: readonly Parameters<typeof clusterOf>[0][]) => read(all.map(clusterOf));

cases(machineHealthCheck, [
  { why: "all say it", facts: { clusters: clusters({}) }, is: "pass" },
  {
    why: "those that do not are named",
    facts: { clusters: clusters({}, { name: "silent", saysUnhealthy: false }) },
    is: "fail",
    severity: "information",
    objects: ["tenant-a/silent"],
    says: /maxUnhealthy\\":\\"0%/,
  },
  { why: "no clusters", facts: { clusters: clusters() }, is: "notApplicable" },
  { why: "a denied list", facts: { clusters: denied }, is: "couldNotTell" },
]);

const platform = (...mirrors: readonly string[]) => read({ skipsEtcdSnapshot: false, mirrors });

cases(mirrorCheck, [
  {
    why: "an image factory of one's own",
    facts: { platform: platform("docker.io"), clusters: clusters({ imageFactory: "https://f" }) },
    is: "pass",
  },
  {
    why: "mirrors, and the public factory",
    facts: {
      platform: platform("docker.io"),
      clusters: clusters({}, { name: "b", imageFactory: "https://factory.talos.dev" }),
    },
    is: "fail",
    severity: "information",
    objects: ["tenant-a/prod", "tenant-a/b"],
  },
  { why: "no mirrors", facts: { platform: platform(), clusters: clusters({}) }, is: "notApplicable" },
  { why: "no configuration", facts: { platform: read(undefined), clusters: clusters({}) }, is: "notApplicable" },
  { why: "a denied configuration", facts: { platform: denied, clusters: clusters({}) }, is: "couldNotTell" },
]);
