/** What a user says about a FoundationDB. */
import { type Static, Type } from "typebox";
import { otherProcessClasses, redundancyModes, storageEngines } from "../../contracts/apps-foundationdb-org.ts";
import type { AppInput } from "../../sdk/app.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  integer,
  listOf,
  oneOf,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { accessKey, bucketName, endpoint, parameter, regionName, rules, versionNumber } from "./rules.ts";

const other = (name: string) =>
  [name, integer({ description: `Processes of class ${name}. Absent: as many as the operator finds right.` })] as const;

const processCounts = group(
  {
    storage: replicas({ default: 3, description: "Processes that keep data." }),
    stateless: integer({ default: -1, description: "Processes without data; -1: none." }),
    cluster_controller: integer({ default: 1, description: "Processes that look after the cluster." }),
    ...Object.fromEntries(otherProcessClasses.map(other)),
  },
  { description: "Number of processes by what they do." },
);

const cluster = group(
  {
    version: text({
      default: "7.3.63",
      maxLength: 20,
      pattern: versionNumber,
      description: "Version of the servers.",
    }),
    processCounts,
    redundancyMode: oneOf(redundancyModes, {
      default: "double",
      description: "How many copies of data there are, and where.",
    }),
    storageEngine: oneOf(storageEngines, { default: "ssd-2", description: "How data is kept on volumes." }),
    faultDomain: group(
      {
        key: text({ default: "kubernetes.io/hostname", description: "What fails at a time." }),
        valueFrom: text({ default: "spec.nodeName", description: "Where a process reads which one it is in." }),
      },
      { description: "What copies of data are kept apart by." },
    ),
  },
  { description: "The cluster." },
);

const s3 = group(
  {
    bucket: text({ default: "", maxLength: 63, pattern: bucketName, description: "Bucket." }),
    endpoint: text({
      default: "",
      maxLength: 300,
      pattern: endpoint,
      description: "URL of the S3 service. Empty: that of AWS in `region`.",
    }),
    region: text({ default: "us-east-1", maxLength: 63, pattern: regionName, description: "Region of the bucket." }),
    credentials: group(
      {
        accessKeyId: text({ default: "", maxLength: 128, pattern: accessKey, description: "Access key." }),
        secretAccessKey: text({ default: "", maxLength: 1024, description: "Secret key." }),
      },
      { description: "Access to the bucket." },
    ),
  },
  { description: "Where backups go." },
);

const backup = group(
  {
    enabled: flag({ default: false, description: "Whether a continuous backup is taken." }),
    s3,
    retentionPolicy: text({ default: "7d", description: "Has no effect: nothing is removed from the bucket." }),
  },
  { description: "A continuous backup to an S3 bucket." },
);

const id = (what: string) => integer({ default: 4059, minimum: 0, description: `${what} of the processes.` });

export const FoundationDBSpec = appSpec(
  {
    cluster,
    storage: group(
      {
        size: volumeSize({
          default: "16Gi",
          description: "Volume of each process with data; it can grow, by which data moves to new volumes.",
        }),
        storageClass: immutable(storageClassName()),
      },
      {
        description:
          "Volumes. Those that are kept when it is deleted have its data, but the operator gives them to no new cluster by itself.",
      },
    ),
    ...sizing({ preset: "c1.small" }),
    backup,
    monitoring: group(
      { enabled: flag({ default: true, description: "Whether it is watched and shown on the dashboard." }) },
      { description: "Observation." },
    ),
    customParameters: listOf(Type.String({ maxLength: 100, pattern: parameter }), {
      maxItems: 100,
      description: "Settings of all processes, as knob_disable_posix_kernel_aio=1.",
    }),
    imageType: oneOf(["unified", "split"], {
      default: "split",
      description: "Whether processes and what looks after them come in one image. A change moves all data.",
    }),
    securityContext: group(
      { runAsUser: id("User"), runAsGroup: id("Group") },
      { description: "Whom processes run as." },
    ),
    automaticReplacements: flag({ default: true, description: "Replace processes that fail." }),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof FoundationDBSpec.schema>;
export type Input = AppInput<Spec>;
