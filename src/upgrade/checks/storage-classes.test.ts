import { cases, denied } from "../../../test/support/check-cases.ts";
import { clusterOf } from "../../../test/support/upgrade-objects.ts";
import type { StorageClassObject } from "../../contracts/storage-k8s-io.ts";
import type { Inside } from "./kubernetes-clusters.ts";
import { notServed, read } from "./source.ts";
import { collisionCheck, nodeLocalCheck } from "./storage-classes.ts";

const linstor = "linstor.csi.linbit.com";
const remote = `${linstor}/allowRemoteVolumeAccess`;

const storageClass = (
  name: string,
  parameters: Readonly<Record<string, string>> = {},
  provisioner = linstor,
): StorageClassObject => ({
  apiVersion: "storage.k8s.io/v1",
  kind: "StorageClass",
  metadata: { name },
  provisioner,
  parameters,
});

const classes = read([storageClass("replicated"), storageClass("local", { [remote]: "false" })]);
const inside = (name: string, ...there: readonly string[]): Inside<readonly { name: string; released: boolean }[]> => ({
  cluster: clusterOf({ name }),
  answer: read(there.map((one) => ({ name: one.replace("!", ""), released: !one.startsWith("!") }))),
});

cases(collisionCheck, [
  {
    why: "classes of the release, and others by other names",
    facts: { classes, inside: read([inside("prod", "replicated", "kubevirt", "!mine")]) },
    is: "pass",
  },
  {
    why: "a class made by hand by the name of one that comes (feature 40)",
    facts: { classes, inside: read([inside("prod", "!replicated", "!mine"), inside("good", "replicated")]) },
    is: "fail",
    severity: "blocking",
    objects: ["tenant-a/prod"],
    says: /made by hand by the name of what comes: replicated"/,
    never: /delete storageclass mine/,
  },
  {
    why: "the former name comes as well",
    facts: { classes, inside: read([inside("prod", "!kubevirt")]) },
    is: "fail",
    says: /: kubevirt"/,
  },
  {
    why: "a class that stays in this cluster collides with nothing (feature 42)",
    facts: { classes, inside: read([inside("prod", "!local")]) },
    is: "pass",
  },
  {
    why: "without any class, the usual one comes",
    facts: { classes: read([]), inside: read([inside("prod", "!replicated")]) },
    is: "fail",
  },
  { why: "no clusters", facts: { classes, inside: read([]) }, is: "notApplicable" },
  {
    why: "clusters without a control plane",
    facts: { classes, inside: read([{ cluster: clusterOf({}), answer: undefined }]) },
    is: "notApplicable",
    says: /has no control plane yet/,
  },
  {
    why: "one cluster cannot be reached, another collides",
    facts: {
      classes,
      inside: read([{ cluster: clusterOf({ name: "far" }), answer: denied }, inside("prod", "!replicated")]),
    },
    is: "couldNotTell",
    objects: ["tenant-a/prod"],
  },
  { why: "a denied list of classes", facts: { classes: denied, inside: read([inside("prod")]) }, is: "couldNotTell" },
  { why: "a denied list of clusters", facts: { classes, inside: denied }, is: "couldNotTell" },
]);

cases(nodeLocalCheck, [
  {
    why: "a class of one node says so",
    facts: { classes },
    is: "pass",
    says: /replicated is offered/,
    never: /local is offered/,
  },
  {
    why: "a class of one node without the parameter is taken for one of any node (feature 42)",
    facts: { classes: read([storageClass("fast", { [`${linstor}/layerList`]: "storage" })]) },
    is: "fail",
    severity: "warning",
    objects: ["fast"],
  },
  {
    why: "one copy of each volume",
    facts: { classes: read([storageClass("single", { autoPlace: "1" })]) },
    is: "fail",
    objects: ["single"],
  },
  {
    why: "who says that its volumes can be used from anywhere means it",
    facts: { classes: read([storageClass("single", { autoPlace: "1", [remote]: "true" })]) },
    is: "pass",
  },
  {
    why: "classes of other drivers",
    facts: { classes: read([storageClass("nfs", {}, "nfs.csi.k8s.io")]) },
    is: "notApplicable",
  },
  { why: "no such kind", facts: { classes: notServed }, is: "notApplicable" },
  { why: "a denied list", facts: { classes: denied }, is: "couldNotTell" },
]);
