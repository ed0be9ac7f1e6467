/**
 * How pods and groups of a namespace find each other without looking through all of them.
 */
import type { KubeObject } from "../kube/object.ts";
import type { Store } from "../kube/store.ts";
import { applicationKey, applicationOf, type Group, membershipsIn } from "./names.ts";

export const placeOf = ({ metadata }: KubeObject): string => metadata.namespace ?? "";

/** A group of a namespace as one text. */
export const groupKey = (namespace: string, name: string): string => `${namespace}/${name}`;

/** Index of pods by the application that their labels name. */
export const BY_APPLICATION = "sdn-application";
/** Index of pods by the groups that they are labelled as members of. */
export const BY_GROUP = "sdn-group";
/** Index of groups by the applications attached to them. */
export const BY_ATTACHMENT = "sdn-attachment";
/** Index of groups by everything their status depends on: applications and other groups. */
export const BY_REFERENCE = "sdn-reference";

export const applicationOfPod = (pod: KubeObject): readonly string[] => {
  const application = applicationOf(pod.metadata.labels);
  return application === undefined ? [] : [applicationKey(placeOf(pod), application)];
};

export const groupsOfPod = (pod: KubeObject): readonly string[] =>
  membershipsIn(pod.metadata.labels).map((name) => groupKey(placeOf(pod), name));

export const attachmentsOf = (group: Group): readonly string[] =>
  (group.spec?.attachments ?? []).map((each) => applicationKey(placeOf(group), each));

const referencesOf = (group: Group): readonly string[] => {
  const { ingress = [], egress = [] } = group.spec ?? {};
  const applications = [
    ...ingress.flatMap(({ fromApp = [] }) => fromApp),
    ...egress.flatMap(({ toApp = [] }) => toApp),
  ];
  const groups = [...ingress.flatMap(({ fromSG = [] }) => fromSG), ...egress.flatMap(({ toSG = [] }) => toSG)];
  return [
    ...attachmentsOf(group),
    ...applications.map((each) => applicationKey(placeOf(group), each)),
    ...groups.map((name) => groupKey(placeOf(group), name)),
  ];
};

export function addIndexes(groups: Store<Group>, pods: Store<KubeObject>): void {
  groups.addIndex(BY_ATTACHMENT, attachmentsOf);
  groups.addIndex(BY_REFERENCE, referencesOf);
  pods.addIndex(BY_APPLICATION, applicationOfPod);
  pods.addIndex(BY_GROUP, groupsOfPod);
}

/** What of a group its members depend on. */
export function groupFacts({ metadata, spec }: Group): string {
  return JSON.stringify([metadata.uid, metadata.deletionTimestamp, metadata.finalizers, spec?.attachments]);
}

/** What of a pod its memberships depend on. */
export function podFacts({ metadata }: KubeObject): string {
  return JSON.stringify([metadata.uid, metadata.labels, metadata.deletionTimestamp, metadata.ownerReferences]);
}
