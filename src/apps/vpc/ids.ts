/** Names of Kube-OVN's objects, which have no namespaces, and addresses between two of them: as upstream derives them. */
import { sha256hex } from "../../sdk/hash.ts";

/** Of the VPC of a release. */
export function vpcId(namespace: string, release: string): string {
  return `vpc-${sha256hex(`${namespace}/${release}`).slice(0, 6)}`;
}

/** Of a subnet, and of what attaches to it. */
export function subnetId(namespace: string, vpc: string, name: string): string {
  return `subnet-${sha256hex(`${namespace}/${vpc}/${name}`).slice(0, 8)}`;
}

interface Peer {
  readonly tenantNamespace: string;
  readonly vpcName: string;
}

/** Of the VPC that a peer is. */
export function peerId({ tenantNamespace, vpcName }: Peer): string {
  return vpcId(tenantNamespace, `virtualprivatecloud-${vpcName}`);
}

/** The address of VPC `own` on its link with `other`. Both sides come to the same link without asking each other. */
export function linkAddress(own: string, other: string): string {
  const [first = "", second = ""] = [own, other].sort();
  const hash = sha256hex(`${first}/${second}`);
  const byte = (at: number) => Number.parseInt(hash.slice(2 * at, 2 * at + 2), 16);
  const third = (byte(0) % 254) + 1;
  const fourth = (byte(1) % 64) * 4;
  return `169.254.${third}.${fourth + (own === first ? 1 : 2)}`;
}
