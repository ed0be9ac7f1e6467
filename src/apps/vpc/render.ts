/** From a VirtualPrivateCloud's specification to its objects. */
import { ConfigMap } from "../../contracts/core.ts";
import { NetworkAttachmentDefinition } from "../../contracts/k8s-cni-cncf-io.ts";
import { Subnet, Vpc } from "../../contracts/kubeovn-io.ts";
import { subjects } from "../../sdk/access.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { Role, RoleBinding, roleRef } from "../../sdk/rbac.ts";
import { check } from "./check.ts";
import { linkAddress, peerId, subnetId, vpcId } from "./ids.ts";
import type { Input, Spec } from "./spec.ts";

const tenantLabel = "cozystack.io/tenantName";
const vpcLabel = "cozystack.io/vpcId";

function router({ release, namespace, spec }: Input, id: string): Rendered {
  const { peers, routes } = spec;
  const peerings = peers.map(peerId).map((remoteVpc) => ({ remoteVpc, localConnectIP: linkAddress(id, remoteVpc) }));
  return Vpc(id, {
    labels: { "cozystack.io/vpcName": release, [tenantLabel]: namespace },
    spec: {
      enableExternal: false,
      namespaces: [namespace],
      ...(peers.length === 0 ? {} : { vpcPeerings: peerings }),
      ...(routes.length === 0 ? {} : { staticRoutes: routes.map(({ cidr, nextHopIP }) => ({ cidr, nextHopIP })) }),
    },
  });
}

/** What the plugin of the pods' networks is told, written as upstream does. */
function pluginConfig(provider: string): string {
  const fields = {
    cniVersion: "0.3.0",
    type: "kube-ovn",
    server_socket: "/run/openvswitch/kube-ovn-daemon.sock",
    provider,
  };
  const written = Object.entries(fields).map(([key, value]) => `${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  return `{ ${written.join(", ")} }`;
}

function network({ release, namespace }: Input, vpc: string, { name, cidr }: Spec["subnets"][number]) {
  const id = subnetId(namespace, vpc, name);
  const provider = `${id}.${namespace}.ovn`;
  const labels = {
    "cozystack.io/subnetName": name,
    [vpcLabel]: vpc,
    "cozystack.io/vpcName": release,
    [tenantLabel]: namespace,
  };
  return [
    NetworkAttachmentDefinition(id, { namespace, labels, spec: { config: pluginConfig(provider) } }),
    Subnet(id, {
      labels,
      spec: {
        vpc,
        provider,
        ...(cidr === undefined || cidr === "" ? {} : { cidrBlock: cidr }),
        protocol: "IPv4",
        enableLb: false,
        private: true,
      },
    }),
  ];
}

/** What users need to know, and could not read in objects without a namespace. */
function directory({ release, namespace, spec }: Input, vpc: string): Rendered {
  const subnets = spec.subnets.flatMap(({ name, cidr = "" }) => [
    [`${name}.ID`, subnetId(namespace, vpc, name)],
    ...(cidr === "" ? [] : [[`${name}.CIDR`, cidr]]),
  ]);
  const peers = spec.peers.flatMap((peer) => {
    const { tenantNamespace, vpcName } = peer;
    const key = `peer.${tenantNamespace}.${vpcName}`;
    return [
      [`${key}.vpcId`, peerId(peer)],
      [`${key}.tenantNamespace`, tenantNamespace],
    ];
  });
  const entries = [...subnets, ...peers];
  return ConfigMap(`${release}-subnets`, {
    labels: { [vpcLabel]: vpc, [tenantLabel]: namespace },
    ...(entries.length === 0 ? {} : { data: Object.fromEntries(entries) }),
  });
}

export function render(input: Input): readonly Rendered[] {
  const { release, namespace, spec, context } = input;
  check(input);
  const id = vpcId(namespace, release);
  const name = `${release}-subnets`;
  const readable = { apiGroups: [""], resources: ["configmaps"], resourceNames: [name] };
  return [
    router(input, id),
    ...spec.subnets.flatMap((subnet) => network(input, id, subnet)),
    directory(input, id),
    Role(name, { rules: [{ ...readable, verbs: ["get", "list", "watch"] }] }),
    RoleBinding(name, { roleRef: roleRef(name), subjects: subjects("view", context) }),
  ];
}
