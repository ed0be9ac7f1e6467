/**
 * What a tenant hands on to whatever runs in its namespace: its own where it has one, else what it inherited.
 */
import type { NamespaceValues } from "../../sdk/context.ts";

/** The fields of a Tenant's spec that decide. */
export interface InheritanceSpec {
  readonly host: string;
  readonly etcd: boolean;
  readonly ingress: boolean;
  readonly monitoring: boolean;
  readonly seaweedfs: boolean;
  /** Absent means no Gateway of its own; so does false. Either way the parent's is inherited. */
  readonly gateway?: boolean;
  readonly schedulingClass: string;
}

/** The values of tenant `name`, in namespace `own`, whose parent has `parent`'s values. */
export function inheritedValues(
  name: string,
  own: string,
  spec: InheritanceSpec,
  parent: NamespaceValues,
): NamespaceValues {
  const module = (on: boolean, inherited: string): string => (on ? own : inherited);
  return {
    host: hostOf(name, spec.host, parent.host),
    etcd: module(spec.etcd, parent.etcd),
    ingress: module(spec.ingress, parent.ingress),
    gateway: module(spec.gateway === true, parent.gateway),
    monitoring: module(spec.monitoring, parent.monitoring),
    seaweedfs: module(spec.seaweedfs, parent.seaweedfs),
    // A class is a boundary that the parent sets: its own choice counts only where the parent made none.
    schedulingClass: parent.schedulingClass || spec.schedulingClass,
  };
}

function hostOf(name: string, own: string, parent: string): string {
  if (own !== "") return own;
  return parent === "" ? "" : `${name}.${parent}`;
}
